-- The confirmed 2FA methods of an account, oldest first. $1 account
SELECT id, kind, label, phone, secret_sealed, extract(epoch FROM created_at)::float8 AS created_at
FROM tfa_methods
WHERE account_id = $1 AND confirmed_at IS NOT NULL AND deleted_at IS NULL
ORDER BY id
