-- Creates a role of a team. id is null when the team has a role of this name or too many roles.
-- $1 team, $2 name, $3 permissions, $4 how many roles a team can have
WITH counted AS (SELECT count(*) >= $4 AS too_many FROM roles WHERE team_id = $1),
created AS (
  INSERT INTO roles (team_id, name, permissions) SELECT $1, $2, $3 FROM counted WHERE NOT too_many
  ON CONFLICT DO NOTHING
  RETURNING id
)
SELECT (SELECT id FROM created) AS id, too_many FROM counted
