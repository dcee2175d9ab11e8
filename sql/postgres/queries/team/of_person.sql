-- A team that the person owns or has a role in; no row if it is neither. $1 team, $2 person
SELECT t.account_id AS id
FROM teams t LEFT JOIN team_members m ON m.team_id = t.account_id AND m.user_id = $2 AND m.role_id IS NOT NULL
WHERE t.account_id = $1 AND (t.owner_id = $2 OR m.user_id IS NOT NULL)
