-- The scheduled jobs of an account in the order they were created, with the result of their last run. $1 account, $2 only this job (or null)
SELECT
  j.id, j.account_id AS user_id, j.instance_id, j.api_endpoint, j.request_method, j.request_body_sealed,
  extract(epoch FROM j.start_time)::float8 AS start_time, extract(epoch FROM j.end_time)::float8 AS end_time,
  j.frequency, j.day_of_the_week, j.hour_of_the_day, j.min_of_the_hour,
  CASE WHEN j.stop_reason IS NULL THEN j.status ELSE 'STOPPED' END AS status, j.stop_reason, j.key_id,
  extract(epoch FROM j.next_run_at)::float8 AS next_run,
  extract(epoch FROM j.last_executed_around)::float8 AS last_executed_around,
  r.status_code AS last_status_code, r.outcome AS last_outcome
FROM scheduled_jobs j
LEFT JOIN LATERAL (
  SELECT status_code, outcome FROM scheduled_job_runs WHERE job_id = j.id AND finished_at IS NOT NULL ORDER BY slot DESC LIMIT 1
) r ON true
WHERE j.account_id = $1 AND j.deleted_at IS NULL AND j.id = coalesce($2, j.id)
ORDER BY j.id
