-- The valid API keys of a person, in the order they were created. $1 person, $2 only those that act for this account (or null)
SELECT
  id, account_id AS user_id, name, prefix, permissions, extract(epoch FROM created_at)::float8 AS created_at,
  extract(epoch FROM expires_at)::float8 AS expires_at, extract(epoch FROM last_used_at)::float8 AS last_used_at
FROM api_keys
WHERE stands_for IS NULL AND created_by = $1 AND account_id = coalesce($2, account_id) AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > now())
ORDER BY id
