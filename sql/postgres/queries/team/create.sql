-- The team of this name that a person owns, created if there is none. No row: the person owns too many. The person's account is locked.
-- $1 person, $2 name, $3 how many teams a person can own
WITH owned AS (SELECT a.id, a.name FROM teams t JOIN accounts a ON a.id = t.account_id WHERE t.owner_id = $1),
created AS (
  INSERT INTO accounts (kind, name)
  SELECT 'team', $2 WHERE NOT EXISTS (SELECT FROM owned WHERE name = $2) AND (SELECT count(*) FROM owned) < $3
  RETURNING id
),
entered AS (INSERT INTO teams (account_id, owner_id) SELECT id, $1 FROM created)
SELECT id FROM owned WHERE name = $2 UNION ALL SELECT id FROM created LIMIT 1
