-- name: clear_referral
-- Leaves an account's library without a referral template. $1 account
UPDATE template_library SET is_referral = false
WHERE account_id = $1 AND is_referral

-- name: count
-- Number of templates in an account's library. $1 account
SELECT count(*)::int AS n FROM template_library
WHERE account_id = $1 AND deleted_at IS NULL

-- name: library
-- The library of an account, the referral template first, then most recently updated first; one JSON object a row. $1 account
SELECT
  t.content || jsonb_build_object(
    'id', t.id, 'hash_id', t.hash_id, 'creator_id', t.creator_id, 'count_created', t.count_created,
    'created_at', extract(epoch FROM t.created_at)
  ) AS template
FROM template_library l JOIN templates t ON t.id = l.template_id
WHERE l.account_id = $1 AND l.deleted_at IS NULL
ORDER BY l.is_referral DESC, l.updated_at DESC, t.id DESC

-- name: link
-- Adds a template to an account's library, or makes it the most recently updated one. $1 account, $2 template
INSERT INTO template_library (account_id, template_id, updated_at) VALUES ($1, $2, clock_timestamp())
ON CONFLICT (account_id, template_id) DO UPDATE SET deleted_at = NULL, updated_at = clock_timestamp()

-- name: of_library
-- A template that is or was in an account's library, by the hash of its content or by its id: a repeated request may name one that
-- the first request has replaced. $1 account, $2 hash or null, $3 id or null
SELECT t.id, t.content
FROM template_library l JOIN templates t ON t.id = l.template_id
WHERE l.account_id = $1 AND (t.hash_id = $2 OR t.id = $3)
ORDER BY t.creator_id = $1 DESC, t.id DESC
LIMIT 1

-- name: previous
-- A template that is or was in an account's library: a repeated request may name one that the first request has replaced.
-- $1 account, $2 template
SELECT
  t.id, t.creator_id, t.content->>'docker_login_user' AS docker_login_user, t.content->>'docker_login_repo' AS docker_login_repo,
  t.docker_login_pass_sealed
FROM template_library l JOIN templates t ON t.id = l.template_id
WHERE l.account_id = $1 AND l.template_id = $2

-- name: referral
-- Puts a template at the top of an account's library: its own, or a public one without a password. $1 account, $2 template
INSERT INTO template_library (account_id, template_id, is_referral)
SELECT $1, id, true FROM templates WHERE id = $2 AND (creator_id = $1 OR (content->>'private' = 'false' AND docker_login_pass_sealed IS NULL))
ON CONFLICT (account_id, template_id) DO UPDATE SET is_referral = true, deleted_at = NULL

-- name: remove
-- Removes templates from an account's library. $1 account, $2 hash of the content or null, $3 id or null
UPDATE template_library l SET deleted_at = rackrate_now(), is_referral = false
FROM templates t
WHERE l.account_id = $1 AND l.deleted_at IS NULL AND t.id = l.template_id
  AND t.hash_id = coalesce($2, t.hash_id) AND t.id = coalesce($3, t.id)

-- name: save
-- The template with this content: the account's own, or a public one of another account, or a new one. $1 account, $2 hash of the
-- content, $3 content, $4 docker password (sealed)
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

-- name: search
-- The templates that an account sees and that match all filters, as JSON objects, sorted by one column and the id: its library,
-- and the public ones without a password. total: of all pages. $1 account, $2 filters, $3 column, $4 descending, $5 and $6 id and
-- value at the start of the page (or null), $7 the most rows
WITH found AS (
  SELECT t.id, t.content || jsonb_build_object(
    'id', t.id, 'hash_id', t.hash_id, 'creator_id', t.creator_id, 'count_created', t.count_created,
    'created_at', extract(epoch FROM t.created_at)
  ) AS template
  FROM templates t
  WHERE EXISTS (SELECT FROM template_library l WHERE l.account_id = $1 AND l.template_id = t.id AND l.deleted_at IS NULL)
    OR (t.content->>'private' = 'false' AND t.docker_login_pass_sealed IS NULL)
),
matching AS (SELECT id, template FROM found WHERE matches(template, $2::jsonb))
SELECT template, (SELECT count(*)::int FROM matching) AS total
FROM matching
WHERE $5::int IS NULL OR CASE WHEN $4::boolean THEN (coalesce(template->$3::text, 'null'), id) < ($6::jsonb, $5)
  ELSE (coalesce(template->$3::text, 'null'), id) > ($6::jsonb, $5) END
ORDER BY
  CASE WHEN $4 THEN coalesce(template->$3, 'null') END DESC, CASE WHEN NOT $4 THEN coalesce(template->$3, 'null') END,
  CASE WHEN $4 THEN -id ELSE id END
LIMIT $7

-- name: unlink
-- Removes a template from an account's library. $1 account, $2 template
UPDATE template_library SET deleted_at = rackrate_now(), is_referral = false
WHERE account_id = $1 AND template_id = $2
