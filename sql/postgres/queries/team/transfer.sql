-- Makes a manager of a team its owner, and the owner a manager. No row: no such manager, or one who owns too many teams. The team's account is
-- locked. $1 team, $2 owner, $3 new owner, $4 how many teams a person can own
WITH manager AS (SELECT id FROM roles WHERE team_id IS NULL AND name = 'manager'),
heir AS (
  DELETE FROM team_members
  WHERE team_id = $1 AND user_id = $3 AND role_id = (SELECT id FROM manager)
    AND (SELECT count(*) FROM teams WHERE owner_id = $3) < $4
  RETURNING user_id
),
kept AS (
  INSERT INTO team_members (team_id, user_id, role_id) SELECT $1, $2, manager.id FROM manager, heir
  ON CONFLICT (team_id, user_id) DO UPDATE SET role_id = excluded.role_id
)
UPDATE teams SET owner_id = heir.user_id FROM heir WHERE account_id = $1 AND owner_id = $2
