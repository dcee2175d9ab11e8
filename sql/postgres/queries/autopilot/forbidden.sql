-- Why nothing may be called for a decision now; NULL: it may be called. $1 decision
SELECT CASE
  WHEN rackrate_now() > d.expires_at THEN 'The data that it was decided from are older than two slots now'
  WHEN s.stopped_at IS NOT NULL THEN 'The account has stopped the autopilot'
  WHEN d.kind = 'change' AND (r.id IS NULL OR r.version <> d.rule_version OR r.stage <> 'live') THEN 'The rule was changed or deleted meanwhile'
  WHEN d.kind = 'change' AND r.stop_reason IS NOT NULL THEN r.stop_reason
  ELSE coalesce(autopilot_refusal(d.key_id, d.source), price_refusal(d.account_id, d.source, d.machine_id))
END AS refusal
FROM autopilot_decisions d
LEFT JOIN autopilot_rules r ON r.id = d.rule_id
LEFT JOIN autopilot_accounts s ON s.account_id = d.account_id
WHERE d.id = $1
