-- The template with this content: the account's own, else a public one of somebody else, else a new one.
-- $1 account, $2 hash of the content, $3 content, $4 docker password (sealed)
WITH known AS (
  SELECT id FROM templates
  WHERE hash_id = $2 AND (creator_id = $1 OR (content->>'private' = 'false' AND docker_login_pass_sealed IS NULL))
  ORDER BY creator_id = $1 DESC, id
  LIMIT 1
),
made AS (
  INSERT INTO templates (creator_id, hash_id, content, docker_login_pass_sealed)
  SELECT $1, $2, $3, $4 WHERE NOT EXISTS (SELECT FROM known)
  RETURNING id
)
SELECT id FROM known UNION ALL SELECT id FROM made
