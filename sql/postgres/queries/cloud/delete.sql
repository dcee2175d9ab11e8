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
