-- Saves a query under its name; nothing when the account has too many. $1 account, $2 name, $3 query, $4 shared, $5 at most
INSERT INTO saved_queries (account_id, name, query, shared)
SELECT $1, $2, $3, $4 WHERE (SELECT count(*) FROM saved_queries WHERE account_id = $1) < $5
ON CONFLICT (account_id, name) DO UPDATE SET query = EXCLUDED.query, shared = EXCLUDED.shared, updated_at = rackrate_now()
RETURNING id
