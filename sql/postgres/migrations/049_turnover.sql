-- The usual share of machines that a slot of a source has replaced since the slot before. NULL: not known yet.
ALTER TABLE collector ADD COLUMN turnover real;
