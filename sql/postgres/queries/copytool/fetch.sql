-- Hands a task to the host of its machine, once. The host then has 15 minutes to report. $1 host, $2 hash of the token
UPDATE host_tasks t SET fetched_at = rackrate_now(), credentials_sealed = k.credentials_sealed, expires_at = rackrate_now() + interval '15 minutes'
FROM machines m, cloud_connections k
WHERE t.token_hash = $2 AND t.fetched_at IS NULL AND t.dead_at IS NULL AND t.expires_at > rackrate_now()
  AND m.id = t.machine_id AND m.account_id = $1
  AND k.id = t.connection_id AND k.deleted_at IS NULL
RETURNING t.machine_id, t.account_id, t.payload, k.provider, k.credentials_sealed
