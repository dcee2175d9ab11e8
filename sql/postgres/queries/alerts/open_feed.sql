-- Gives the feed of an account an address, instead of the former one. $1 account, $2 hash of the address, or null: it has none, $3 key
INSERT INTO alert_accounts (account_id, feed_hash, key_id) VALUES ($1, $2, $3)
ON CONFLICT (account_id) DO UPDATE SET feed_hash = excluded.feed_hash, key_id = excluded.key_id
