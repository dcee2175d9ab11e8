-- Invites an address to a team, unless it is invited already or too many are. Expired invitations are deleted. The team's account is locked.
-- $1 team, $2 address (lower case), $3 how many open invitations a team can have, $4 role that the person gets by joining (null: none)
WITH expired AS (
  DELETE FROM team_invitations WHERE team_id = $1 AND created_at <= rackrate_now() - interval '7 days' AND email <> $2
),
waiting AS (
  SELECT count(*) AS n, coalesce(bool_or(email = $2), false) AS is_known FROM team_invitations
  WHERE team_id = $1 AND created_at > rackrate_now() - interval '7 days'
),
membership AS (
  SELECT EXISTS (
    SELECT FROM accounts a
    WHERE lower(a.email) = $2 AND a.email_verified AND (
      EXISTS (SELECT FROM team_members WHERE team_id = $1 AND user_id = a.id)
      OR EXISTS (SELECT FROM teams WHERE account_id = $1 AND owner_id = a.id)
    )
  ) AS is_member
),
invited AS (
  INSERT INTO team_invitations (team_id, email, role_id) SELECT $1, $2, $4::int FROM waiting, membership
  WHERE NOT is_known AND n < $3 AND NOT is_member
  ON CONFLICT (team_id, email) DO UPDATE SET created_at = rackrate_now(), role_id = excluded.role_id
  RETURNING email
)
SELECT
  (SELECT name FROM accounts WHERE id = $1) AS name,
  EXISTS (SELECT FROM invited) AS invited,
  NOT is_known AND n >= $3 AS too_many,
  is_member
FROM waiting, membership
