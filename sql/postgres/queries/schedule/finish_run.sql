-- Notes how a run ended. $1 job, $2 slot (unix seconds), $3 status code, $4 outcome
WITH finished AS (
  UPDATE scheduled_job_runs SET finished_at = rackrate_now(), status_code = $3, outcome = $4
  WHERE job_id = $1 AND slot = to_timestamp($2) AND finished_at IS NULL
  RETURNING job_id
)
UPDATE scheduled_jobs SET
  last_executed_around = rackrate_now(), status = CASE WHEN next_run_at IS NULL THEN 'COMPLETED' ELSE 'PENDING' END
WHERE id IN (SELECT job_id FROM finished)
