-- The chart behind a link, while the key that made it may read the market. $1 hash of the token
SELECT s.chart FROM shared_charts s JOIN market_keys k ON k.key_id = s.key_id AND k.refusal IS NULL WHERE s.token_hash = $1
