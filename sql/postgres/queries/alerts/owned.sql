-- The ids of the machines of some accounts. $1 accounts
SELECT account_id, array_agg(id ORDER BY id) AS ids FROM machines WHERE account_id = ANY ($1) AND removed_at IS NULL GROUP BY account_id
