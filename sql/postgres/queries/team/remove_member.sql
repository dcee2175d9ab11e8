-- Removes a member from a team, ends the member's keys for it and stops the jobs that the member wrote for it. $1 team, $2 user
WITH removed AS (
  DELETE FROM team_members
  WHERE team_id = $1 AND user_id = $2 AND NOT EXISTS (SELECT FROM teams WHERE account_id = $1 AND owner_id = $2)
  RETURNING user_id
),
keys AS (
  UPDATE api_keys SET revoked_at = rackrate_now()
  WHERE account_id = $1 AND created_by IN (SELECT user_id FROM removed) AND revoked_at IS NULL
),
jobs AS (
  UPDATE scheduled_jobs SET next_run_at = NULL, status = 'COMPLETED', stop_reason = 'The person who wrote this job left the team'
  WHERE account_id = $1 AND created_by IN (SELECT user_id FROM removed) AND next_run_at IS NOT NULL AND deleted_at IS NULL
)
SELECT user_id FROM removed
