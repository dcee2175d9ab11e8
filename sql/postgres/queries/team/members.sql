-- The members of a team: the owner first, then in the order they joined. $1 team
SELECT a.id, a.name AS username, a.email, p.role, extract(epoch FROM p.joined_at)::float8 AS joined_at
FROM (
  SELECT t.owner_id AS user_id, 'owner' AS role, a.created_at AS joined_at
  FROM teams t JOIN accounts a ON a.id = t.account_id
  WHERE t.account_id = $1
  UNION ALL
  SELECT m.user_id, r.name, m.joined_at
  FROM team_members m LEFT JOIN roles r ON r.id = m.role_id
  WHERE m.team_id = $1 AND m.user_id <> (SELECT owner_id FROM teams WHERE account_id = $1)
) p JOIN accounts a ON a.id = p.user_id
ORDER BY p.role IS NOT DISTINCT FROM 'owner' DESC, p.joined_at, a.id
