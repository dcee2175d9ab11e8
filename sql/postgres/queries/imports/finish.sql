-- Notes that a change of imports is done: what the series has of each file, and that the removed import is gone.
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
