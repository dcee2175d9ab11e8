-- The clock of the service: the present of the transaction. Every statement asks it, and nothing else, for the time, so that one place decides what
-- the time is for all processes; tests replace it. The planner puts its body in its place, so it costs and estimates as now() does.
CREATE FUNCTION rackrate_now() RETURNS timestamptz LANGUAGE sql STABLE PARALLEL SAFE RETURN now();

ALTER TABLE accounts ALTER COLUMN created_at SET DEFAULT rackrate_now();
ALTER TABLE roles ALTER COLUMN created_at SET DEFAULT rackrate_now();
ALTER TABLE team_members ALTER COLUMN joined_at SET DEFAULT rackrate_now();
ALTER TABLE api_keys ALTER COLUMN created_at SET DEFAULT rackrate_now();
ALTER TABLE machines ALTER COLUMN created_at SET DEFAULT rackrate_now();
ALTER TABLE gpu_listings ALTER COLUMN created_at SET DEFAULT rackrate_now();
ALTER TABLE contracts ALTER COLUMN starts_at SET DEFAULT rackrate_now();
ALTER TABLE volume_listings
  ALTER COLUMN created_at SET DEFAULT rackrate_now(),
  ALTER COLUMN updated_at SET DEFAULT rackrate_now();
ALTER TABLE volume_contracts ALTER COLUMN starts_at SET DEFAULT rackrate_now();
ALTER TABLE tfa_methods ALTER COLUMN created_at SET DEFAULT rackrate_now();
ALTER TABLE tfa_challenges ALTER COLUMN sent_at SET DEFAULT rackrate_now();
ALTER TABLE backup_codes ALTER COLUMN created_at SET DEFAULT rackrate_now();
ALTER TABLE cloud_connections ALTER COLUMN created_at SET DEFAULT rackrate_now();
ALTER TABLE templates ALTER COLUMN created_at SET DEFAULT rackrate_now();
ALTER TABLE template_library ALTER COLUMN updated_at SET DEFAULT rackrate_now();
ALTER TABLE scheduled_jobs ALTER COLUMN created_at SET DEFAULT rackrate_now();
ALTER TABLE scheduled_job_runs ALTER COLUMN started_at SET DEFAULT rackrate_now();
ALTER TABLE ssh_keys ALTER COLUMN created_at SET DEFAULT rackrate_now();
ALTER TABLE host_tasks ALTER COLUMN created_at SET DEFAULT rackrate_now();
ALTER TABLE snapshots ALTER COLUMN taken_at SET DEFAULT rackrate_now();
ALTER TABLE pending_rollups ALTER COLUMN created_at SET DEFAULT rackrate_now();
ALTER TABLE simulation ALTER COLUMN created_at SET DEFAULT rackrate_now();
ALTER TABLE outbox
  ALTER COLUMN created_at SET DEFAULT rackrate_now(),
  ALTER COLUMN next_try_at SET DEFAULT rackrate_now();
ALTER TABLE team_invitations ALTER COLUMN created_at SET DEFAULT rackrate_now();
ALTER TABLE sql_queries ALTER COLUMN started_at SET DEFAULT rackrate_now();
ALTER TABLE saved_queries
  ALTER COLUMN created_at SET DEFAULT rackrate_now(),
  ALTER COLUMN updated_at SET DEFAULT rackrate_now();
ALTER TABLE alert_rules ALTER COLUMN created_at SET DEFAULT rackrate_now();
ALTER TABLE alert_messages
  ALTER COLUMN created_at SET DEFAULT rackrate_now(),
  ALTER COLUMN next_try_at SET DEFAULT rackrate_now();
ALTER TABLE shared_charts ALTER COLUMN created_at SET DEFAULT rackrate_now();
ALTER TABLE dashboards
  ALTER COLUMN created_at SET DEFAULT rackrate_now(),
  ALTER COLUMN updated_at SET DEFAULT rackrate_now();

-- As in 018, with this clock.
CREATE OR REPLACE VIEW market_keys AS
SELECT
  k.id AS key_id,
  CASE
    WHEN k.revoked_at IS NOT NULL OR k.expires_at <= rackrate_now() THEN 'The API key that wrote it has ended'
    WHEN NOT k.permissions->'api' ? 'machine_read' OR a.kind = 'team' AND NOT EXISTS (
      SELECT FROM teams t
      LEFT JOIN team_members tm ON tm.team_id = t.account_id AND tm.user_id = k.created_by
      JOIN roles r ON CASE WHEN t.owner_id = k.created_by THEN r.team_id IS NULL AND r.name = 'owner' ELSE r.id = tm.role_id END
      WHERE t.account_id = a.id AND r.permissions->'api' ? 'machine_read'
    ) THEN 'The API key that wrote it may not read the market any more'
    WHEN NOT a.is_admin AND NOT EXISTS (
      SELECT FROM machines m WHERE m.account_id = a.id AND m.removed_at IS NULL AND m.online
    ) THEN 'The account has no active machine'
  END AS refusal
FROM api_keys k JOIN accounts a ON a.id = k.account_id;
