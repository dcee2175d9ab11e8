-- The rules on a market that are looked at at a slot, those of an account, or of all, the oldest first. `stop_reason`: why it must not go on;
-- `recipient`: who gets mail. $1 the source of the market; null: the first one, $2 only of this account (or null)
SELECT
  r.id, r.source, r.account_id, r.created_by, r.key_id, r.version, r.name, r.machine_id, r.gpu_name, r.settings, r.stage, r.state,
  r.webhook_url IS NOT NULL AS has_webhook,
  extract(epoch FROM r.dry_run_since)::float8 AS dry_run_since,
  autopilot_refusal(r.key_id, r.source) AS stop_reason,
  CASE WHEN r.email AND p.email_verified THEN p.email END AS recipient
FROM autopilot_rules r
JOIN accounts p ON p.id = r.created_by
LEFT JOIN autopilot_accounts a ON a.account_id = r.account_id
WHERE r.source IS NOT DISTINCT FROM $1 AND r.account_id = coalesce($2, r.account_id) AND r.stop_reason IS NULL
  AND ($2 IS NOT NULL OR a.stopped_at IS NULL)
ORDER BY r.id
