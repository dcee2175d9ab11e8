-- The runs that are not finished, oldest slot first. slot: unix seconds
SELECT job_id AS "jobId", extract(epoch FROM slot)::float8 AS slot
FROM scheduled_job_runs
WHERE finished_at IS NULL
ORDER BY slot
