-- Deletes a role of a team. Members who have it keep their membership without a role. $1 team, $2 role
WITH freed AS (
  UPDATE team_members SET role_id = NULL WHERE team_id = $1 AND role_id = $2
)
DELETE FROM roles WHERE id = $2 AND team_id = $1
