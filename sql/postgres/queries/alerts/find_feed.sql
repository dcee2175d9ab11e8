-- The account whose feed has an address, while the key that made it may read a market. $1 hash of the address
SELECT f.account_id
FROM alert_accounts f
JOIN market_keys k ON k.key_id = f.key_id AND k.ended IS NULL AND (k.sees_all OR cardinality(k.claimed) > 0)
WHERE f.feed_hash = $1
