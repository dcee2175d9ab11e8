-- Removes templates from an account's library. $1 account, $2 hash of the content or null, $3 id or null
UPDATE template_library l SET deleted_at = rackrate_now(), is_referral = false
FROM templates t
WHERE l.account_id = $1 AND l.deleted_at IS NULL AND t.id = l.template_id
  AND t.hash_id = coalesce($2, t.hash_id) AND t.id = coalesce($3, t.id)
