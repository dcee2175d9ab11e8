-- The confirmed 2FA methods of an account, oldest first, with the wrong codes in a row. $1 account
SELECT
  m.id, m.kind, m.label, m.phone, m.secret_sealed, extract(epoch FROM m.created_at)::float8 AS created_at,
  extract(epoch FROM m.last_used_at)::float8 AS last_used,
  row_number() OVER (ORDER BY m.is_primary DESC, m.id) = 1 AS is_primary,
  coalesce(f.fail_count, 0) AS fail_count,
  extract(epoch FROM CASE WHEN f.locked_until > rackrate_now() THEN f.locked_until END)::float8 AS locked_until
FROM tfa_methods m
LEFT JOIN tfa_failures f ON f.account_id = m.account_id AND f.method = m.id::text
WHERE m.account_id = $1 AND m.confirmed_at IS NOT NULL AND m.deleted_at IS NULL
ORDER BY m.id
