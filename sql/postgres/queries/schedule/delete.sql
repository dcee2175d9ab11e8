-- Deletes a scheduled job. $1 account, $2 job
UPDATE scheduled_jobs SET deleted_at = rackrate_now(), next_run_at = NULL
WHERE account_id = $1 AND id = $2 AND deleted_at IS NULL
RETURNING id
