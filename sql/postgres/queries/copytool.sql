-- name: append_log
-- Writes the log of a task, whose host now has another 15 minutes to report. $1 task, $2 log, $3 end of the log that is held back
-- because it may begin a secret, $4 characters received
UPDATE host_tasks SET
  log = nullif($2, ''), log_held = $3, log_received = log_received + $4, expires_at = rackrate_now() + interval '15 minutes'
WHERE id = $1

-- name: cancel_expired
-- Cancels an open task of this content that has expired, so that a new one can take its place. $1 account, $2 hash of the content
UPDATE host_tasks SET dead_at = rackrate_now(), credentials_sealed = NULL, log_held = ''
WHERE account_id = $1 AND content_hash = $2 AND finished_at IS NULL AND dead_at IS NULL AND expires_at <= rackrate_now()

-- name: dispatch
-- Records whether a host was notified of its task. A task of which no host was ever notified is cancelled. Returns a row unless
-- the task is cancelled. $1 task, $2 true if the host can be reached
WITH noted AS (
  UPDATE host_tasks SET
    dispatched_at = CASE WHEN $2 THEN coalesce(dispatched_at, rackrate_now()) ELSE dispatched_at END,
    dead_at = CASE WHEN NOT $2 AND dispatched_at IS NULL AND fetched_at IS NULL THEN rackrate_now() END
  WHERE id = $1 AND dead_at IS NULL
  RETURNING id, dead_at
)
SELECT id FROM noted WHERE dead_at IS NULL

-- name: fetch
-- Hands a task to the host of its machine, once. The host then has 15 minutes to report. $1 host, $2 hash of the token
UPDATE host_tasks t SET fetched_at = rackrate_now(), credentials_sealed = k.credentials_sealed, expires_at = rackrate_now() + interval '15 minutes'
FROM machines m, cloud_connections k
WHERE t.token_hash = $2 AND t.fetched_at IS NULL AND t.dead_at IS NULL AND t.expires_at > rackrate_now()
  AND m.id = t.machine_id AND m.account_id = $1
  AND k.id = t.connection_id AND k.deleted_at IS NULL
RETURNING t.machine_id, t.account_id, t.payload, k.provider, k.credentials_sealed

-- name: finish
-- Records the end of a task, also in its log; only the first call has an effect. The end of the log that was held back is shown
-- if it is too short to reveal a secret. The credentials are deleted. $1 host, $2 hash of the token, $3 exit code
UPDATE host_tasks t SET
  finished_at = coalesce(t.finished_at, rackrate_now()),
  exit_code = coalesce(t.exit_code, $3),
  credentials_sealed = NULL,
  log_held = '',
  log = CASE WHEN t.finished_at IS NOT NULL THEN t.log ELSE
    coalesce(t.log, '') || CASE WHEN length(t.log_held) < 4 THEN t.log_held ELSE E'***\n' END ||
    CASE $3 WHEN 0 THEN E'Cloud Copy Operation Complete\n' ELSE format(E'Cloud Copy Operation Failed (exit code %s)\n', $3) END
  END
FROM machines m
WHERE t.token_hash = $2 AND t.fetched_at IS NOT NULL AND t.dead_at IS NULL AND m.id = t.machine_id AND m.account_id = $1

-- name: log
-- The log of a copy; no row until there is one. $1 id of the result
SELECT log FROM host_tasks WHERE result_id = $1 AND log IS NOT NULL

-- name: open_task
-- Stores a task that a host can fetch for an hour, or returns the open task of equal content.
-- $1 machine, $2 account, $3 contract, $4 connection, $5 payload, $6 hash of the token, $7 token (sealed), $8 hash of the content
INSERT INTO host_tasks AS t (machine_id, account_id, contract_id, connection_id, kind, payload, token_hash, token_sealed, content_hash, expires_at)
VALUES ($1, $2, $3, $4, 'copy', $5, $6, $7, $8, rackrate_now() + interval '1 hour')
ON CONFLICT (account_id, content_hash) WHERE finished_at IS NULL AND dead_at IS NULL DO UPDATE SET account_id = t.account_id
RETURNING id, token_sealed, result_id, fetched_at IS NOT NULL AS is_fetched

-- name: place
-- The machine of a running instance of an account, and whether the account has the cloud connection. $1 account, $2 instance, $3 connection
SELECT
  m.id AS machine_id, m.online AND m.removed_at IS NULL AS online,
  EXISTS (SELECT FROM cloud_connections k WHERE k.id = $3 AND k.account_id = $1 AND k.deleted_at IS NULL) AS has_connection
FROM contracts c JOIN machines m ON m.id = c.machine_id
WHERE c.id = $2 AND c.account_id = $1 AND c.actual_status = 'running' AND c.ended_at IS NULL AND (c.ends_at IS NULL OR c.ends_at > rackrate_now())

-- name: running
-- A task that a host has fetched and not finished, locked. $1 host, $2 hash of the token
SELECT t.id, t.account_id, coalesce(t.log, '') AS log, t.log_held, t.log_received, t.credentials_sealed
FROM host_tasks t
JOIN machines m ON m.id = t.machine_id AND m.account_id = $1
WHERE t.token_hash = $2 AND t.fetched_at IS NOT NULL AND t.finished_at IS NULL AND t.dead_at IS NULL AND t.expires_at > rackrate_now()
FOR UPDATE OF t

-- name: waiting
-- The tasks that wait for a machine, oldest first. A row without a token: there are none. No row: the account has no such machine.
-- $1 account, $2 machine
SELECT
  t.token_sealed, extract(epoch FROM t.created_at)::float8 AS created_at, extract(epoch FROM t.expires_at)::float8 AS expires_at
FROM machines m
LEFT JOIN host_tasks t ON t.machine_id = m.id AND t.fetched_at IS NULL AND t.dead_at IS NULL AND t.expires_at > rackrate_now()
WHERE m.account_id = $1 AND m.id = $2 AND m.removed_at IS NULL
ORDER BY t.id
LIMIT 100
