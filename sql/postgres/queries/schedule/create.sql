-- Creates a scheduled job. $1 account, $2 person, $3 instance, $4 endpoint, $5 method, $6 body (sealed), $7 permissions, $8 start and
-- $9 end (unix seconds), $10 frequency, $11 day, $12 hour, $13 minute, $14 key that wrote it, $15 next run (unix seconds,
-- null: none)
INSERT INTO scheduled_jobs (
  account_id, created_by, instance_id, api_endpoint, request_method, request_body_sealed, permissions,
  start_time, end_time, frequency, day_of_the_week, hour_of_the_day, min_of_the_hour, key_id, next_run_at, status
)
VALUES (
  $1, $2, $3, $4, $5, $6, $7, to_timestamp($8), to_timestamp($9), $10, $11, $12, $13, $14, to_timestamp($15),
  CASE WHEN $15::float8 IS NULL THEN 'COMPLETED' ELSE 'PENDING' END
)
RETURNING id
