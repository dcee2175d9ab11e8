-- Notes an import before its rows are moved, together with what is removed first. The same file again is the same import.
-- $1 source, $2 stage, $3 overlapping, $4 ids of the files, $5 the files (JSON), $6 removed import or NULL, $7 its source
WITH noted AS (
  INSERT INTO imports (id, source, file, content_hash, format, read, left_out)
  SELECT f.id, $1, f.file, f.content_hash, f.format, f.read, f.left_out
  FROM jsonb_to_recordset($5::jsonb) AS f (id bigint, file text, content_hash text, format jsonb, read bigint, left_out bigint)
  ON CONFLICT (id) DO UPDATE
  SET file = excluded.file, imported_at = excluded.imported_at, read = excluded.read, left_out = excluded.left_out, rows = NULL
)
INSERT INTO import_work (source, stage, overlapping, imports, removed, removed_source)
VALUES ($1, $2, $3, $4::bigint[], $6, $7)
