-- The open invitations of a team, oldest first. $1 team
SELECT
  email, (SELECT name FROM roles WHERE id = role_id) AS role, extract(epoch FROM created_at)::float8 AS created_at,
  extract(epoch FROM created_at + interval '7 days')::float8 AS expires_at
FROM team_invitations
WHERE team_id = $1 AND created_at > rackrate_now() - interval '7 days'
ORDER BY created_at, email
