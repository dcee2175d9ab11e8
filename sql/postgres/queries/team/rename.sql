-- Renames a team of an owner, unless another team of the owner has the name. The owner's account is locked. $1 team, $2 owner, $3 name
WITH owned AS (SELECT a.id, a.name FROM teams t JOIN accounts a ON a.id = t.account_id WHERE t.owner_id = $2),
renamed AS (
  UPDATE accounts SET name = $3
  WHERE id IN (SELECT id FROM owned WHERE id = $1) AND NOT EXISTS (SELECT FROM owned WHERE name = $3 AND id <> $1)
  RETURNING id
)
SELECT EXISTS (SELECT FROM owned WHERE id = $1) AS is_owner, EXISTS (SELECT FROM renamed) AS done
