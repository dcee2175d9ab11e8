-- The chart behind a link, while the key that made it may read its market. $1 hash of the token
SELECT s.chart
FROM shared_charts s
JOIN market_keys k ON k.key_id = s.key_id
WHERE s.token_hash = $1 AND market_refusal(
  substring(s.chart->>'query' FROM '(?:^|&)source=([a-z0-9_]+)'), k.refusal, k.ended, k.sees_all, k.claimed
) IS NULL
