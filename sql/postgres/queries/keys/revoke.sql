-- Revokes an API key. $1 its id, as text, or its public prefix
UPDATE api_keys SET revoked_at = now()
WHERE (id::text = $1 OR prefix = $1) AND revoked_at IS NULL
