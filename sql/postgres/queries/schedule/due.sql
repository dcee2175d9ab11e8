-- The jobs whose next run is due, locked. Jobs that another process is claiming are skipped. $1 now (unix seconds)
SELECT
  id, frequency, day_of_the_week, hour_of_the_day, min_of_the_hour,
  extract(epoch FROM start_time)::float8 AS start_time, extract(epoch FROM end_time)::float8 AS end_time
FROM scheduled_jobs
WHERE deleted_at IS NULL AND next_run_at <= to_timestamp($1)
ORDER BY next_run_at
LIMIT 500
FOR UPDATE SKIP LOCKED
