-- The teams that a person owns or belongs to, oldest first. $1 person
SELECT
  a.id, a.name AS team_name, CASE WHEN t.owner_id = $1 THEN 'owner' ELSE r.name END AS role,
  extract(epoch FROM a.created_at)::float8 AS created_at
FROM teams t
JOIN accounts a ON a.id = t.account_id
LEFT JOIN team_members m ON m.team_id = t.account_id AND m.user_id = $1
LEFT JOIN roles r ON r.id = m.role_id
WHERE t.owner_id = $1 OR m.user_id IS NOT NULL
ORDER BY a.id
