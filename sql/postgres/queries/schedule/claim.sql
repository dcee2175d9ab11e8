-- Notes the run of a job at a slot, unless there is one, and the next slot. $1 job, $2 slot, $3 next slot (unix seconds, null: none)
WITH run AS (
  INSERT INTO scheduled_job_runs (job_id, slot) VALUES ($1, to_timestamp($2))
  ON CONFLICT DO NOTHING
  RETURNING job_id
)
UPDATE scheduled_jobs SET
  next_run_at = to_timestamp($3),
  status = CASE WHEN EXISTS (SELECT FROM run) THEN 'IN-PROGRESS' WHEN $3::float8 IS NULL THEN 'COMPLETED' ELSE 'PENDING' END
WHERE id = $1
