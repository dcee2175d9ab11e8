-- The rules that a slot of the market, or of the clock, is looked at with. `recipient`: who gets mail. $1 market or clock
SELECT
  r.id, r.account_id, r.created_by, r.version, r.name, r.condition, r.state,
  extract(epoch FROM r.silenced_until)::float8 AS silenced_until,
  CASE WHEN r.email AND p.email_verified THEN p.email END AS recipient,
  r.webhook_url IS NOT NULL AND r.webhook_gone_at IS NULL AS has_webhook
FROM alert_rules r
JOIN market_keys k ON k.key_id = r.key_id AND k.refusal IS NULL
JOIN accounts p ON p.id = r.created_by
WHERE (r.condition->>'kind' = 'data_age') = ($1 = 'clock')
