-- Gives a member another role. $1 team, $2 user, $3 role
UPDATE team_members SET role_id = $3
WHERE team_id = $1 AND user_id = $2
