-- Writes a scheduled job anew. $1 job, $2 instance, $3 endpoint, $4 method, $5 body (sealed), $6 permissions, $7 start and $8 end (unix
-- seconds), $9 frequency, $10 day, $11 hour, $12 minute, $13 next run (unix seconds, null: none)
UPDATE scheduled_jobs SET
  instance_id = $2, api_endpoint = $3, request_method = $4, request_body_sealed = $5, permissions = $6,
  start_time = to_timestamp($7), end_time = to_timestamp($8), frequency = $9, day_of_the_week = $10, hour_of_the_day = $11,
  min_of_the_hour = $12, next_run_at = to_timestamp($13),
  status = CASE WHEN $13::float8 IS NULL THEN 'COMPLETED' ELSE 'PENDING' END
WHERE id = $1
