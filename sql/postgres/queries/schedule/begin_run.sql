-- Notes that the call of a run begins. No row: the run is finished, or another process may be making the call (no call takes 90 s).
-- was_called: the call had begun before. key_ended: why the key that wrote the job is not valid any more, or null.
-- $1 job, $2 slot (unix seconds)
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
