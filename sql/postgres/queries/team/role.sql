-- A role by name, as an account sees it: a built-in role, or one of the team that the account is, owns or belongs to (its own first).
-- $1 name, $2 account, $3 person behind the key
SELECT r.id, r.name, r.permissions
FROM roles r
WHERE r.name = $1
  AND (
    r.team_id IS NULL
    OR r.team_id = $2
    OR EXISTS (SELECT FROM team_members m WHERE m.team_id = r.team_id AND m.user_id = $3 AND $2 = $3)
    OR EXISTS (SELECT FROM teams t WHERE t.account_id = r.team_id AND t.owner_id = $3 AND $2 = $3)
  )
ORDER BY r.team_id = $2 DESC NULLS LAST, r.team_id NULLS LAST, r.id
LIMIT 1
