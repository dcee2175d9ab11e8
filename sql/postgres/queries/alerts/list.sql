-- The rules of an account in the order they were created. $1 account, $2 only this rule (or null)
SELECT
  r.id, r.name, r.source, r.condition, r.email, r.webhook_url, r.webhook_gone_at IS NOT NULL AS webhook_gone, r.state,
  CASE WHEN r.silenced_until > rackrate_now() THEN extract(epoch FROM r.silenced_until)::float8 END AS silenced_until,
  CASE WHEN k.key_id IS NULL THEN 'The API key that wrote it has ended' ELSE market_refusal(r.source, k.refusal, k.ended, k.sees_all, k.claimed) END AS stop_reason,
  extract(epoch FROM r.created_at)::float8 AS created_at
FROM alert_rules r LEFT JOIN market_keys k ON k.key_id = r.key_id
WHERE r.account_id = $1 AND r.id = coalesce($2, r.id)
ORDER BY r.id
