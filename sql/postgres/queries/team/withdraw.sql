-- Withdraws an open invitation. $1 team, $2 address
DELETE FROM team_invitations
WHERE team_id = $1 AND email = lower($2) AND created_at > rackrate_now() - interval '7 days'
