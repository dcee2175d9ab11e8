-- The links of an account, newest first, each with the reason why it shows nothing now. $1 account
SELECT
  s.id, s.chart, extract(epoch FROM s.created_at)::float8 AS created_at,
  market_refusal(
    substring(s.chart->>'query' FROM '(?:^|&)source=([a-z0-9_]+)'), k.refusal, k.ended, k.sees_all, k.claimed
  ) AS stop_reason
FROM shared_charts s JOIN market_keys k ON k.key_id = s.key_id
WHERE s.account_id = $1 ORDER BY s.id DESC
