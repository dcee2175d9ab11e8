-- name: erase
-- Erases what was changed of an account. The rows stay. $1 account
UPDATE changes SET before = NULL, after = NULL WHERE account_id = $1

-- name: list
-- The audit of changes, newest first. $1 only of this account (or null), $2 only these objects, $3 the most rows, $4 only rows
-- before this one (or null)
SELECT
  c.id, extract(epoch FROM c.made_at)::float8 AS made_at, c.account_id AS user_id, c.origin, c.person_id, p.name AS person, c.key_id,
  c.object, c.object_id, c.action, c.before, c.after
FROM changes c LEFT JOIN accounts p ON p.id = c.person_id
WHERE ($1::int IS NULL OR c.account_id = $1) AND c.object = ANY ($2) AND ($4::bigint IS NULL OR c.id < $4)
ORDER BY c.id DESC
LIMIT $3
