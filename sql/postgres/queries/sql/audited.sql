-- Ad hoc queries, newest first. $1 only those of this account (or null), $2 how many,
-- $3 only those that are listed after this one (or null)
SELECT
  q.id, q.account_id AS user_id, a.name AS username, q.query, q.parameters AS params, q.format,
  extract(epoch FROM q.started_at)::float8 AS started_at, q.outcome, q.error, q.duration_ms, q.read_rows, q.read_bytes,
  q.result_rows, q.memory_usage
FROM sql_queries q LEFT JOIN accounts a ON a.id = q.account_id
WHERE ($1::int IS NULL OR q.account_id = $1)
  AND ($3::uuid IS NULL OR (q.started_at, q.id) < (SELECT started_at, id FROM sql_queries WHERE id = $3))
ORDER BY q.started_at DESC, q.id DESC
LIMIT $2
