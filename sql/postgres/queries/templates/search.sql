-- The templates that an account sees and that keep all filters, as JSON objects, sorted by one column and the id: its library, and the public ones
-- without a password. total: of all pages. $1 account, $2 filters, $3 column, $4 descending, $5 and $6 id and value where the page begins (or
-- null), $7 how many at most
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
