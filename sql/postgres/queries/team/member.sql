-- A member of a team and the member's role, which may be none. No row: not a member. $1 team, $2 user
SELECT t.owner_id = $2 AS is_owner, r.id AS role_id, r.permissions
FROM teams t
LEFT JOIN team_members m ON m.team_id = t.account_id AND m.user_id = $2
LEFT JOIN roles r ON r.id = m.role_id
WHERE t.account_id = $1 AND (t.owner_id = $2 OR m.user_id IS NOT NULL)
