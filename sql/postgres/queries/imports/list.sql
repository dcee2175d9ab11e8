-- The imports, the oldest first. A file whose rows are still being moved has no `rows`.
SELECT
  i.id, i.source, i.file, i.content_hash, i.format, floor(extract(epoch FROM i.imported_at))::bigint AS imported_at, i.read, i.left_out, i.rows,
  i.from_slot, i.to_slot
FROM imports i
ORDER BY i.imported_at, i.id
