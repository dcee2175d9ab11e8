-- The progress of the check for damage through the series. At most one row.
CREATE TABLE mend_progress (
  one          boolean PRIMARY KEY DEFAULT true CHECK (one),
  checked_from bigint NOT NULL -- unix seconds: the next part to check ends there; 0: it is the newest part
);
