-- The first ten rows that an import, or the newest reading of a catalog, left out: each with its line and the reason.
ALTER TABLE imports ADD COLUMN left_out_rows jsonb NOT NULL DEFAULT '[]';
ALTER TABLE catalogs ADD COLUMN left_out_rows jsonb NOT NULL DEFAULT '[]';
