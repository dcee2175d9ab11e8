-- Revokes an API key of a person. $1 person, $2 only a key that acts for this account (or null), $3 key
UPDATE api_keys SET revoked_at = now()
WHERE created_by = $1 AND account_id = coalesce($2, account_id) AND id = $3 AND revoked_at IS NULL
