-- A task that a host has fetched and not finished, locked. $1 host, $2 hash of the token
SELECT t.id, t.account_id, coalesce(t.log, '') AS log, t.log_held, t.log_received, t.credentials_sealed
FROM host_tasks t
JOIN machines m ON m.id = t.machine_id AND m.account_id = $1
WHERE t.token_hash = $2 AND t.fetched_at IS NOT NULL AND t.finished_at IS NULL AND t.dead_at IS NULL AND t.expires_at > rackrate_now()
FOR UPDATE OF t
