-- name: begin
-- Records an import before its rows are moved, together with the import that is removed first. The same file again is the same import.
-- $1 source, $2 stage, $3 overlapping, $4 ids of the files, $5 the files (JSON), $6 removed import or NULL, $7 its source
WITH noted AS (
  INSERT INTO imports (id, source, file, content_hash, format, read, left_out, left_out_rows)
  SELECT f.id, $1, f.file, f.content_hash, f.format, f.read, f.left_out, f.left_out_rows
  FROM jsonb_to_recordset($5::jsonb)
    AS f (id bigint, file text, content_hash text, format jsonb, read bigint, left_out bigint, left_out_rows jsonb)
  ON CONFLICT (id) DO UPDATE
  SET
    file = excluded.file, imported_at = excluded.imported_at, read = excluded.read, left_out = excluded.left_out,
    left_out_rows = excluded.left_out_rows, rows = NULL
)
INSERT INTO import_work (source, stage, overlapping, imports, removed, removed_source)
VALUES ($1, $2, $3, $4::bigint[], $6, $7)

-- name: finish
-- Records that a change of imports is done: the rows in the series of each file, and the removal of the removed import.
-- $1 id of the work, $2 the imports (JSON: id, rows, from_slot, to_slot), $3 removed import or NULL
WITH moved AS (
  UPDATE imports i
  SET rows = f.rows, from_slot = f.from_slot, to_slot = f.to_slot
  FROM jsonb_to_recordset($2::jsonb) AS f (id bigint, rows bigint, from_slot bigint, to_slot bigint)
  WHERE i.id = f.id
),
gone AS (
  DELETE FROM imports WHERE id = $3 AND id NOT IN (SELECT id FROM jsonb_to_recordset($2::jsonb) AS f (id bigint))
)
DELETE FROM import_work WHERE id = $1

-- name: list
-- The imports, the oldest first. A file whose rows are still being moved has no `rows`.
SELECT
  i.id, i.source, i.file, i.content_hash, i.format, floor(extract(epoch FROM i.imported_at))::bigint AS imported_at, i.read, i.left_out, i.left_out_rows, i.rows,
  i.from_slot, i.to_slot
FROM imports i
ORDER BY i.imported_at, i.id

-- name: work
-- The pending work on rows of imports, the oldest first.
SELECT id, source, stage, overlapping, to_jsonb(imports) AS imports, removed, removed_source FROM import_work ORDER BY id
