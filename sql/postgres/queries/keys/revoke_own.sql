-- Revokes an API key of a person and stops its scheduled jobs. $1 person, $2 only a key that acts for this account (or null), $3 key.
-- Returns the key and the jobs; no row: no such key
WITH revoked AS (
  UPDATE api_keys SET revoked_at = rackrate_now()
  WHERE created_by = $1 AND account_id = coalesce($2, account_id) AND id = $3 AND revoked_at IS NULL
  RETURNING id, account_id, created_by
),
stopped AS (
  -- A job without a key is of an earlier release: any key of its holder for this account may have written it.
  UPDATE scheduled_jobs j SET next_run_at = NULL, status = 'COMPLETED', stop_reason = 'The API key that wrote this job was revoked'
  FROM revoked r
  WHERE (j.key_id = r.id OR (j.key_id IS NULL AND j.account_id = r.account_id AND j.created_by = r.created_by))
    AND j.next_run_at IS NOT NULL AND j.deleted_at IS NULL
  RETURNING j.id
)
SELECT id, ARRAY(SELECT id FROM stopped ORDER BY id) AS stopped_jobs FROM revoked
