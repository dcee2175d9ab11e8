-- Invites an address to a team, unless it is invited already or too many are. Expired invitations are deleted. The team's account is locked.
-- $1 team, $2 address (lower case), $3 how many open invitations a team can have
WITH expired AS (
  DELETE FROM team_invitations WHERE team_id = $1 AND created_at <= now() - interval '7 days' AND email <> $2
),
waiting AS (
  SELECT count(*) AS n, coalesce(bool_or(email = $2), false) AS is_known FROM team_invitations
  WHERE team_id = $1 AND created_at > now() - interval '7 days'
),
invited AS (
  INSERT INTO team_invitations (team_id, email) SELECT $1, $2 FROM waiting WHERE NOT is_known AND n < $3
  ON CONFLICT (team_id, email) DO UPDATE SET created_at = now()
  RETURNING email
)
SELECT
  (SELECT name FROM accounts WHERE id = $1) AS name,
  EXISTS (SELECT FROM invited) AS invited,
  NOT is_known AND n >= $3 AS too_many
FROM waiting
