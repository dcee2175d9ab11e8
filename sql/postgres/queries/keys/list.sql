-- The valid API keys of a person, in the order they were created. $1 person, $2 only those that act for this account (or null)
SELECT
  k.id, k.account_id AS user_id, NULL AS key, CASE a.kind WHEN 'team' THEN 'team' ELSE 'user' END AS key_type, k.name, k.prefix, k.permissions,
  CASE a.kind WHEN 'team' THEN a.id END AS team_id, CASE a.kind WHEN 'team' THEN a.name END AS team_name,
  extract(epoch FROM k.created_at)::float8 AS created_at, extract(epoch FROM k.expires_at)::float8 AS expires_at,
  extract(epoch FROM k.last_used_at)::float8 AS last_used_at
FROM api_keys k JOIN accounts a ON a.id = k.account_id
WHERE k.stands_for IS NULL AND k.created_by = $1 AND k.account_id = coalesce($2, k.account_id) AND k.revoked_at IS NULL
  AND (k.expires_at IS NULL OR k.expires_at > rackrate_now())
ORDER BY k.id
