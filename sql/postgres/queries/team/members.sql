-- The members of a team: the owner first, then in the order they joined. $1 team, $2 and $3 id and time of the member behind whom the page
-- begins (or null; time 0: the owner), $4 how many at most
SELECT a.id, a.name AS username, a.email, p.role, array_remove(ARRAY[p.role], NULL) AS roles, extract(epoch FROM p.joined_at)::float8 AS joined_at
FROM (
  SELECT t.owner_id AS user_id, 'owner' AS role, a.created_at AS joined_at
  FROM teams t JOIN accounts a ON a.id = t.account_id
  WHERE t.account_id = $1
  UNION ALL
  SELECT m.user_id, r.name, m.joined_at
  FROM team_members m LEFT JOIN roles r ON r.id = m.role_id
  WHERE m.team_id = $1 AND m.user_id <> (SELECT owner_id FROM teams WHERE account_id = $1)
) p JOIN accounts a ON a.id = p.user_id
WHERE $2::int IS NULL OR (p.role IS DISTINCT FROM 'owner' AND (extract(epoch FROM p.joined_at)::float8, a.id) > ($3::float8, $2))
ORDER BY p.role IS NOT DISTINCT FROM 'owner' DESC, p.joined_at, a.id
LIMIT $4
