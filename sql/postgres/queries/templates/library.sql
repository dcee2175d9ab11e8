-- The library of an account, the referral template first, then most recently updated first; one JSON object a row. $1 account
SELECT
  t.content || jsonb_build_object(
    'id', t.id, 'hash_id', t.hash_id, 'creator_id', t.creator_id, 'count_created', t.count_created,
    'created_at', extract(epoch FROM t.created_at)
  ) AS template
FROM template_library l JOIN templates t ON t.id = l.template_id
WHERE l.account_id = $1 AND l.deleted_at IS NULL
ORDER BY l.is_referral DESC, l.updated_at DESC, t.id DESC
