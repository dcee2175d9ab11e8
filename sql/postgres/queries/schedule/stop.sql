-- Stops a scheduled job. $1 job, $2 why
UPDATE scheduled_jobs SET next_run_at = NULL, status = 'COMPLETED', stop_reason = $2
WHERE id = $1 AND stop_reason IS NULL
