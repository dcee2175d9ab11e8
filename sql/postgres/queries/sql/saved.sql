-- Saved queries that an account sees: its own, and what others share; by name. $1 account
SELECT
  s.id, s.account_id AS user_id, a.name AS username, s.name, s.query, s.shared,
  extract(epoch FROM s.updated_at)::float8 AS updated_at
FROM saved_queries s JOIN accounts a ON a.id = s.account_id
WHERE s.account_id = $1 OR s.shared
ORDER BY lower(s.name), s.id
