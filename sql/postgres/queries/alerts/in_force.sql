-- The rules on one market that a slot of it, or of the clock, is looked at with. `recipient`: who gets mail. $1 market or clock, $2 the source of the
-- market; null: the first one
SELECT
  r.id, r.source, r.account_id, r.created_by, r.version, r.name, r.condition, r.state,
  extract(epoch FROM r.silenced_until)::float8 AS silenced_until,
  CASE WHEN r.email AND p.email_verified THEN p.email END AS recipient,
  r.webhook_url IS NOT NULL AND r.webhook_gone_at IS NULL AS has_webhook
FROM alert_rules r
JOIN market_keys k ON k.key_id = r.key_id
JOIN accounts p ON p.id = r.created_by
WHERE (r.condition->>'kind' = 'data_age') = ($1 = 'clock') AND r.source IS NOT DISTINCT FROM $2
  AND market_refusal(r.source, k.refusal, k.ended, k.sees_all, k.claimed) IS NULL
