-- name: create
-- Creates a cloud connection. $1 account, $2 name, $3 type, $4 credentials (sealed)
INSERT INTO cloud_connections (account_id, name, provider, credentials_sealed)
VALUES ($1, $2, $3, $4)
RETURNING id

-- name: delete
-- Deletes a cloud connection with its credentials, and cancels the tasks that need them. $1 account, $2 connection
WITH deleted AS (
  UPDATE cloud_connections SET deleted_at = rackrate_now(), credentials_sealed = ''
  WHERE account_id = $1 AND id = $2 AND deleted_at IS NULL
  RETURNING id
),
cancelled AS (
  UPDATE host_tasks SET dead_at = rackrate_now(), credentials_sealed = NULL, log_held = ''
  WHERE connection_id IN (SELECT id FROM deleted) AND finished_at IS NULL AND dead_at IS NULL
)
SELECT id FROM deleted

-- name: list
-- The cloud connections of an account, in the order they were created. $1 account
SELECT id, name, provider AS cloud_type, extract(epoch FROM created_at)::float8 AS created_at
FROM cloud_connections
WHERE account_id = $1 AND deleted_at IS NULL
ORDER BY id

-- name: replace
-- Replaces type and credentials of a cloud connection. $1 connection, $2 type, $3 credentials (sealed)
UPDATE cloud_connections SET provider = $2, credentials_sealed = $3 WHERE id = $1
