-- The SSH keys of an account, in the order they were added. $1 account
SELECT id, account_id AS user_id, public_key, extract(epoch FROM created_at)::float8 AS created_at, NULL AS deleted_at
FROM ssh_keys
WHERE account_id = $1 AND deleted_at IS NULL
ORDER BY id
