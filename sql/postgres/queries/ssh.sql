-- name: add
-- Adds an SSH key unless the account has it. $1 account, $2 public key
INSERT INTO ssh_keys (account_id, public_key) VALUES ($1, $2)
ON CONFLICT (account_id, public_key) WHERE deleted_at IS NULL DO NOTHING

-- name: change
-- Replaces the text of an SSH key. $1 account, $2 key, $3 public key
UPDATE ssh_keys SET public_key = $3
WHERE account_id = $1 AND id = $2 AND deleted_at IS NULL

-- name: delete
-- Deletes an SSH key. $1 account, $2 key
UPDATE ssh_keys SET deleted_at = rackrate_now()
WHERE account_id = $1 AND id = $2 AND deleted_at IS NULL

-- name: list
-- The SSH keys of an account, in the order they were added. $1 account
SELECT id, account_id AS user_id, public_key, extract(epoch FROM created_at)::float8 AS created_at, NULL AS deleted_at
FROM ssh_keys
WHERE account_id = $1 AND deleted_at IS NULL
ORDER BY id
