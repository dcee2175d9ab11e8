-- name: create
-- Creates a link to a chart. No row: the account has too many. $1 account, $2 key, $3 hash of the token, $4 chart, $5 the most
-- links
INSERT INTO shared_charts (account_id, key_id, token_hash, chart)
SELECT $1, $2, $3, $4 WHERE (SELECT count(*) FROM shared_charts WHERE account_id = $1) < $5
RETURNING id

-- name: find
-- The chart of a link, while the key that created the link may read its market. $1 hash of the token
SELECT s.chart
FROM shared_charts s
JOIN market_keys k ON k.key_id = s.key_id
WHERE s.token_hash = $1 AND market_refusal(
  substring(s.chart->>'query' FROM '(?:^|&)source=([a-z0-9_]+)'), k.refusal, k.ended, k.sees_all, k.claimed
) IS NULL

-- name: list
-- The links of an account, newest first, each with the reason why it is inactive now. $1 account
SELECT
  s.id, s.chart, extract(epoch FROM s.created_at)::float8 AS created_at,
  market_refusal(
    substring(s.chart->>'query' FROM '(?:^|&)source=([a-z0-9_]+)'), k.refusal, k.ended, k.sees_all, k.claimed
  ) AS stop_reason
FROM shared_charts s JOIN market_keys k ON k.key_id = s.key_id
WHERE s.account_id = $1 ORDER BY s.id DESC
