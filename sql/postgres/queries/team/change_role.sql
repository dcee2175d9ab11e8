-- Changes a role of a team, unless another of its roles has the name. $1 team, $2 role, $3 name, $4 permissions
UPDATE roles SET name = $3, permissions = $4
WHERE id = $2 AND team_id = $1 AND NOT EXISTS (SELECT FROM roles o WHERE o.team_id = $1 AND o.name = $3 AND o.id <> $2)
