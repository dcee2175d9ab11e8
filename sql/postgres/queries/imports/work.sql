-- What is to be done to the rows of imports, the oldest first.
SELECT id, source, stage, overlapping, to_jsonb(imports) AS imports, removed, removed_source FROM import_work ORDER BY id
