-- Adds a person to a team that has invited the person's verified address. Keys of an earlier membership stay invalid.
-- Returns whether the person is a member now. $1 team, $2 person
WITH invited AS (
  DELETE FROM team_invitations i USING accounts a
  WHERE i.team_id = $1 AND a.id = $2 AND a.email_verified AND i.email = lower(a.email) AND i.created_at > rackrate_now() - interval '7 days'
  RETURNING i.team_id, i.role_id
),
joined AS (
  INSERT INTO team_members (team_id, user_id, role_id) SELECT team_id, $2, role_id FROM invited
  WHERE NOT EXISTS (SELECT FROM teams WHERE account_id = $1 AND owner_id = $2)
  ON CONFLICT DO NOTHING
  RETURNING user_id
),
revoked AS (
  UPDATE api_keys SET revoked_at = rackrate_now()
  WHERE account_id = $1 AND created_by IN (SELECT user_id FROM joined) AND revoked_at IS NULL
)
SELECT EXISTS (SELECT FROM invited) OR EXISTS (SELECT FROM team_members WHERE team_id = $1 AND user_id = $2) AS is_member
