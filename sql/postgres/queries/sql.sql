-- name: audited
-- Ad hoc queries, newest first. $1 only of this account (or null), $2 the most queries, $3 only queries listed after this one (or
-- null)
SELECT
  q.id, q.account_id AS user_id, a.name AS username, q.query, q.parameters AS params, q.format,
  extract(epoch FROM q.started_at)::float8 AS started_at, q.outcome, q.error, q.duration_ms, q.read_rows, q.read_bytes,
  q.result_rows, q.memory_usage
FROM sql_queries q LEFT JOIN accounts a ON a.id = q.account_id
WHERE ($1::int IS NULL OR q.account_id = $1)
  AND ($3::uuid IS NULL OR (q.started_at, q.id) < (SELECT started_at, id FROM sql_queries WHERE id = $3))
ORDER BY q.started_at DESC, q.id DESC
LIMIT $2

-- name: begin
-- Records a statement that is about to run, unless its account has used up its hour: then `begun` is false, and in `retry_after`
-- seconds the oldest statement leaves the hour. A statement without a recorded end counts for the longest time that one can run.
-- $1 id, $2 account (null: no limit), $3 query, $4 parameters, $5 format; per hour: $6 statements, $7 seconds, $8 rows of results
WITH hour AS (
  SELECT
    count(*) AS statements,
    coalesce(sum(extract(epoch FROM
      least(coalesce(finished_at, rackrate_now()), started_at + interval '70 seconds') - started_at)), 0) AS seconds,
    coalesce(sum(result_rows), 0) AS result_rows,
    min(started_at) AS oldest
  FROM sql_queries
  WHERE account_id = $2 AND started_at > rackrate_now() - interval '1 hour'
), begun AS (
  INSERT INTO sql_queries (id, account_id, query, parameters, format)
  SELECT $1, $2, $3, $4, $5 FROM hour
  WHERE $2::int IS NULL OR (statements < $6 AND seconds < $7 AND result_rows < $8)
  RETURNING id
)
SELECT
  EXISTS (SELECT FROM begun) AS begun,
  ceil(extract(epoch FROM oldest + interval '1 hour' - rackrate_now()))::int AS retry_after
FROM hour

-- name: issue_ticket
-- Stores a ticket for a download, and deletes expired tickets. $1 hash of the token, $2 key, $3 query, $4 parameters, $5 format,
-- $6 seconds that it is valid
WITH forgotten AS (DELETE FROM sql_downloads WHERE expires_at <= rackrate_now())
INSERT INTO sql_downloads (token_hash, key_id, query, parameters, format, expires_at)
VALUES ($1, $2, $3, $4, $5, rackrate_now() + make_interval(secs => $6))

-- name: note_costs
-- Records the cost of statements. $1 JSON: [{id, read_rows, read_bytes, result_rows, memory_usage, duration_ms}, …]
UPDATE sql_queries q
SET read_rows = c.read_rows, read_bytes = c.read_bytes, result_rows = c.result_rows, memory_usage = c.memory_usage,
  duration_ms = c.duration_ms
FROM jsonb_to_recordset($1::jsonb)
  AS c (id uuid, read_rows bigint, read_bytes bigint, result_rows bigint, memory_usage bigint, duration_ms bigint)
WHERE q.id = c.id

-- name: read_ticket
-- Reads the format of a ticket for a download, and leaves it valid. No row: as for take_ticket. $1 hash of the token
SELECT t.format
FROM sql_downloads t
JOIN api_keys k ON k.id = t.key_id
JOIN accounts a ON a.id = k.account_id
WHERE t.token_hash = $1
  AND t.expires_at > rackrate_now() AND a.is_admin AND k.revoked_at IS NULL AND coalesce(k.expires_at > rackrate_now(), true)

-- name: save
-- Saves a query under its name. No row: the account has too many. $1 account, $2 name, $3 query, $4 shared, $5 the most queries
INSERT INTO saved_queries (account_id, name, query, shared)
SELECT $1, $2, $3, $4 WHERE (SELECT count(*) FROM saved_queries WHERE account_id = $1) < $5
ON CONFLICT (account_id, name) DO UPDATE SET query = EXCLUDED.query, shared = EXCLUDED.shared, updated_at = rackrate_now()
RETURNING id

-- name: saved
-- Saved queries that an account sees, by name: its own, and shared ones of others. $1 account
SELECT
  s.id, s.account_id AS user_id, a.name AS username, s.name, s.query, s.shared,
  extract(epoch FROM s.updated_at)::float8 AS updated_at
FROM saved_queries s JOIN accounts a ON a.id = s.account_id
WHERE s.account_id = $1 OR s.shared
ORDER BY lower(s.name), s.id

-- name: take_ticket
-- Redeems a ticket for a download, once. No row: it has expired, its key has ended or its holder is no longer an admin. $1 hash
-- of the token
WITH ticket AS (
  DELETE FROM sql_downloads WHERE token_hash = $1
  RETURNING key_id, query, parameters, format, expires_at
)
SELECT k.account_id, t.query, t.parameters AS params, t.format
FROM ticket t
JOIN api_keys k ON k.id = t.key_id
JOIN accounts a ON a.id = k.account_id
WHERE t.expires_at > rackrate_now() AND a.is_admin AND k.revoked_at IS NULL AND coalesce(k.expires_at > rackrate_now(), true)
