-- A role that a team can have, by id or by name. is_callers: the role of a person in the team. $1 team, $2 id or null, $3 name or null,
-- $4 person
SELECT
  id, name, permissions, team_id IS NULL AS is_built_in,
  EXISTS (SELECT FROM team_members m WHERE m.team_id = $1 AND m.user_id = $4 AND m.role_id = roles.id) AS is_callers
FROM roles
WHERE (team_id = $1 OR team_id IS NULL) AND id = coalesce($2, id) AND name = coalesce($3, name)
ORDER BY team_id NULLS LAST
