-- name: begin_run
-- Records that the call of a run begins. No row: the run is finished, or another process may be making the call (no call takes 90
-- s). was_called: the call had begun before. key_ended: the reason why the job's key is no longer valid, or null. $1 job, $2 slot
-- (unix seconds)
WITH before AS (
  SELECT job_id, slot, called_at FROM scheduled_job_runs
  WHERE job_id = $1 AND slot = to_timestamp($2) AND finished_at IS NULL
    AND (called_at IS NULL OR called_at < rackrate_now() - interval '90 seconds')
  FOR UPDATE
),
begun AS (
  UPDATE scheduled_job_runs r SET called_at = rackrate_now()
  FROM before WHERE r.job_id = before.job_id AND r.slot = before.slot
)
SELECT
  j.account_id, j.created_by, j.key_id, j.api_endpoint, j.request_method, j.request_body_sealed, j.permissions,
  before.called_at IS NOT NULL AS was_called, j.deleted_at IS NOT NULL AS is_deleted,
  coalesce(
    j.stop_reason,
    CASE
      WHEN k.revoked_at IS NOT NULL THEN 'The API key that wrote this job was revoked'
      WHEN k.expires_at <= rackrate_now() THEN 'The API key that wrote this job has expired'
    END
  ) AS key_ended
FROM before
JOIN scheduled_jobs j ON j.id = before.job_id
LEFT JOIN api_keys k ON k.id = j.key_id

-- name: claim
-- Records the run of a job at a slot, unless it exists, and the next slot. $1 job, $2 slot, $3 next slot (unix seconds, null:
-- none)
WITH run AS (
  INSERT INTO scheduled_job_runs (job_id, slot) VALUES ($1, to_timestamp($2))
  ON CONFLICT DO NOTHING
  RETURNING job_id
)
UPDATE scheduled_jobs SET
  next_run_at = to_timestamp($3),
  status = CASE WHEN EXISTS (SELECT FROM run) THEN 'IN-PROGRESS' WHEN $3::float8 IS NULL THEN 'COMPLETED' ELSE 'PENDING' END
WHERE id = $1

-- name: create
-- Creates a scheduled job. $1 account, $2 person, $3 instance, $4 endpoint, $5 method, $6 body (sealed), $7 permissions, $8 start
-- and $9 end (unix seconds), $10 frequency, $11 day, $12 hour, $13 minute, $14 key that created it, $15 next run (unix seconds,
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

-- name: delete
-- Deletes a scheduled job. $1 account, $2 job
UPDATE scheduled_jobs SET deleted_at = rackrate_now(), next_run_at = NULL
WHERE account_id = $1 AND id = $2 AND deleted_at IS NULL
RETURNING id

-- name: due
-- The jobs whose next run is due, locked. Jobs that another process is claiming are skipped. $1 now (unix seconds)
SELECT
  id, frequency, day_of_the_week, hour_of_the_day, min_of_the_hour,
  extract(epoch FROM start_time)::float8 AS start_time, extract(epoch FROM end_time)::float8 AS end_time
FROM scheduled_jobs
WHERE deleted_at IS NULL AND next_run_at <= to_timestamp($1)
ORDER BY next_run_at
LIMIT 500
FOR UPDATE SKIP LOCKED

-- name: finish_run
-- Records the result of a run. $1 job, $2 slot (unix seconds), $3 status code, $4 outcome
WITH finished AS (
  UPDATE scheduled_job_runs SET finished_at = rackrate_now(), status_code = $3, outcome = $4
  WHERE job_id = $1 AND slot = to_timestamp($2) AND finished_at IS NULL
  RETURNING job_id
)
UPDATE scheduled_jobs SET
  last_executed_around = rackrate_now(), status = CASE WHEN next_run_at IS NULL THEN 'COMPLETED' ELSE 'PENDING' END
WHERE id IN (SELECT job_id FROM finished)

-- name: list
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

-- name: lock
-- Locks a scheduled job until the transaction ends. $1 account, $2 job
SELECT FROM scheduled_jobs WHERE id = $2 AND account_id = $1 FOR UPDATE

-- name: open_runs
-- The runs that are not finished, oldest slot first. slot: unix seconds
SELECT job_id AS "jobId", extract(epoch FROM slot)::float8 AS slot
FROM scheduled_job_runs
WHERE finished_at IS NULL
ORDER BY slot

-- name: stop
-- Stops a scheduled job. $1 job, $2 the reason
UPDATE scheduled_jobs SET next_run_at = NULL, status = 'COMPLETED', stop_reason = $2
WHERE id = $1 AND stop_reason IS NULL

-- name: update
-- Replaces a scheduled job. It then belongs to the person and the key of this call, and is resumed if it was stopped. $1 job, $2
-- person, $3 instance, $4 endpoint, $5 method, $6 body (sealed), $7 permissions, $8 start and $9 end (unix seconds), $10
-- frequency, $11 day, $12 hour, $13 minute, $14 key, $15 next run (unix seconds, null: none)
UPDATE scheduled_jobs SET
  created_by = $2, instance_id = $3, api_endpoint = $4, request_method = $5, request_body_sealed = $6, permissions = $7,
  start_time = to_timestamp($8), end_time = to_timestamp($9), frequency = $10, day_of_the_week = $11, hour_of_the_day = $12,
  min_of_the_hour = $13, key_id = $14, stop_reason = NULL, next_run_at = to_timestamp($15),
  status = CASE WHEN $15::float8 IS NULL THEN 'COMPLETED' WHEN status = 'IN-PROGRESS' THEN status ELSE 'PENDING' END
WHERE id = $1
