-- Makes a link to a chart; nothing when the account has too many. $1 account, $2 key, $3 hash of the token, $4 chart, $5 at most
INSERT INTO shared_charts (account_id, key_id, token_hash, chart)
SELECT $1, $2, $3, $4 WHERE (SELECT count(*) FROM shared_charts WHERE account_id = $1) < $5
RETURNING id
