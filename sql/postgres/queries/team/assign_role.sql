-- Assigns a role to a member that has none; the owner has one. $1 team, $2 user, $3 role
WITH assigned AS (
  UPDATE team_members SET role_id = $3 WHERE team_id = $1 AND user_id = $2 AND role_id IS NULL
    AND NOT EXISTS (SELECT FROM teams WHERE account_id = $1 AND owner_id = $2)
  RETURNING user_id
)
SELECT
  EXISTS (SELECT FROM team_members WHERE team_id = $1 AND user_id = $2)
    OR EXISTS (SELECT FROM teams WHERE account_id = $1 AND owner_id = $2) AS is_member,
  EXISTS (SELECT FROM assigned) AS done
