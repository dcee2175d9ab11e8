-- The machine of a running instance of an account, and whether the account has the cloud connection. $1 account, $2 instance, $3 connection
SELECT
  m.id AS machine_id, m.online AND m.removed_at IS NULL AS online,
  EXISTS (SELECT FROM cloud_connections k WHERE k.id = $3 AND k.account_id = $1 AND k.deleted_at IS NULL) AS has_connection
FROM contracts c JOIN machines m ON m.id = c.machine_id
WHERE c.id = $2 AND c.account_id = $1 AND c.actual_status = 'running' AND c.ended_at IS NULL AND (c.ends_at IS NULL OR c.ends_at > rackrate_now())
