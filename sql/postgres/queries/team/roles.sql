-- The roles of a team: the built-in ones, then its own in the order they were created. $1 team
SELECT id, name, permissions, team_id IS NULL AS is_built_in FROM roles WHERE team_id IS NULL OR team_id = $1 ORDER BY team_id NULLS FIRST, id
