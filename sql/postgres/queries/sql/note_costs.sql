-- Notes what statements cost. $1 JSON: [{id, read_rows, read_bytes, result_rows, memory_usage, duration_ms}, …]
UPDATE sql_queries q
SET read_rows = c.read_rows, read_bytes = c.read_bytes, result_rows = c.result_rows, memory_usage = c.memory_usage,
  duration_ms = c.duration_ms
FROM jsonb_to_recordset($1::jsonb)
  AS c (id uuid, read_rows bigint, read_bytes bigint, result_rows bigint, memory_usage bigint, duration_ms bigint)
WHERE q.id = c.id
