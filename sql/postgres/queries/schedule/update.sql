-- Replaces a scheduled job. It belongs to the person and the key that wrote it last, and runs again if it was stopped.
-- $1 job, $2 person, $3 instance, $4 endpoint, $5 method, $6 body (sealed),
-- $7 permissions, $8 start and $9 end (unix seconds), $10 frequency, $11 day, $12 hour, $13 minute, $14 key,
-- $15 next run (unix seconds, null: none)
UPDATE scheduled_jobs SET
  created_by = $2, instance_id = $3, api_endpoint = $4, request_method = $5, request_body_sealed = $6, permissions = $7,
  start_time = to_timestamp($8), end_time = to_timestamp($9), frequency = $10, day_of_the_week = $11, hour_of_the_day = $12,
  min_of_the_hour = $13, key_id = $14, stop_reason = NULL, next_run_at = to_timestamp($15),
  status = CASE WHEN $15::float8 IS NULL THEN 'COMPLETED' WHEN status = 'IN-PROGRESS' THEN status ELSE 'PENDING' END
WHERE id = $1
