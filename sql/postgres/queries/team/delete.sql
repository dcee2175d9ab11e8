-- Deletes a team unless it rents or hosts anything: its members, roles, invitations, keys, jobs, rules, shared charts and secrets. The
-- account of the team stays, because contracts that ended name it. The account is locked. $1 team
WITH usage AS (
  SELECT EXISTS (SELECT FROM machines WHERE account_id = $1 AND removed_at IS NULL)
    OR EXISTS (SELECT FROM contracts WHERE account_id = $1 AND ended_at IS NULL AND (ends_at IS NULL OR ends_at > rackrate_now()))
    OR EXISTS (SELECT FROM volume_contracts WHERE account_id = $1 AND ended_at IS NULL AND ends_at > rackrate_now()) AS is_used
),
deleted AS (
  DELETE FROM teams WHERE account_id = $1 AND NOT (SELECT is_used FROM usage)
  RETURNING account_id AS id
),
keys AS (
  UPDATE api_keys SET revoked_at = rackrate_now() WHERE account_id IN (SELECT id FROM deleted) AND revoked_at IS NULL
),
jobs AS (
  UPDATE scheduled_jobs SET deleted_at = rackrate_now(), next_run_at = NULL
  WHERE account_id IN (SELECT id FROM deleted) AND deleted_at IS NULL
),
alerts AS (
  DELETE FROM alert_rules WHERE account_id IN (SELECT id FROM deleted)
),
prices AS (
  DELETE FROM autopilot_rules WHERE account_id IN (SELECT id FROM deleted)
),
feeds AS (
  DELETE FROM alert_accounts WHERE account_id IN (SELECT id FROM deleted)
),
shares AS (
  DELETE FROM shared_charts WHERE account_id IN (SELECT id FROM deleted)
),
ssh AS (
  UPDATE ssh_keys SET deleted_at = rackrate_now() WHERE account_id IN (SELECT id FROM deleted) AND deleted_at IS NULL
),
connections AS (
  UPDATE cloud_connections SET deleted_at = rackrate_now(), credentials_sealed = ''
  WHERE account_id IN (SELECT id FROM deleted) AND deleted_at IS NULL
),
tasks AS (
  UPDATE host_tasks SET dead_at = rackrate_now(), credentials_sealed = NULL, log_held = ''
  WHERE account_id IN (SELECT id FROM deleted) AND finished_at IS NULL AND dead_at IS NULL
),
library AS (
  UPDATE template_library SET deleted_at = rackrate_now(), is_referral = false
  WHERE account_id IN (SELECT id FROM deleted) AND deleted_at IS NULL
)
SELECT is_used FROM usage
