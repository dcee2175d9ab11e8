-- Whether the key of a claim can do more than read machines and earnings, as was seen when it was given; NULL: not known.
ALTER TABLE claim_keys ADD COLUMN can_do_more boolean;
