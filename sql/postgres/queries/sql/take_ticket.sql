-- Takes a ticket for a download, once; nothing when it has expired, its key has ended or its holder is no admin any more.
-- $1 hash of the token
WITH ticket AS (
  DELETE FROM sql_downloads WHERE token_hash = $1
  RETURNING key_id, query, parameters, format, expires_at
)
SELECT k.account_id, t.query, t.parameters AS params, t.format
FROM ticket t
JOIN api_keys k ON k.id = t.key_id
JOIN accounts a ON a.id = k.account_id
WHERE t.expires_at > rackrate_now() AND a.is_admin AND k.revoked_at IS NULL AND coalesce(k.expires_at > rackrate_now(), true)
