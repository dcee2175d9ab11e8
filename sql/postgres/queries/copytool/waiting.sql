-- The tasks that wait for a machine, oldest first. A row without a token: there are none. No row: the account has no such machine.
-- $1 account, $2 machine
SELECT
  t.token_sealed, extract(epoch FROM t.created_at)::float8 AS created_at, extract(epoch FROM t.expires_at)::float8 AS expires_at
FROM machines m
LEFT JOIN host_tasks t ON t.machine_id = m.id AND t.fetched_at IS NULL AND t.dead_at IS NULL AND t.expires_at > rackrate_now()
WHERE m.account_id = $1 AND m.id = $2 AND m.removed_at IS NULL
ORDER BY t.id
LIMIT 100
