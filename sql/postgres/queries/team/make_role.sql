-- Makes a role of a team; id is null when there is one of this name, or when there are too many. $1 team, $2 name, $3 permissions, $4 most
WITH counted AS (SELECT count(*) >= $4 AS too_many FROM roles WHERE team_id = $1),
made AS (
  INSERT INTO roles (team_id, name, permissions) SELECT $1, $2, $3 FROM counted WHERE NOT too_many
  ON CONFLICT DO NOTHING
  RETURNING id
)
SELECT (SELECT id FROM made) AS id, too_many FROM counted
