-- The account whose feed has an address, while the key that made it may read the market. $1 hash of the address
SELECT f.account_id FROM alert_accounts f JOIN market_keys k ON k.key_id = f.key_id AND k.refusal IS NULL WHERE f.feed_hash = $1
