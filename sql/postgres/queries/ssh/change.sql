-- Replaces the text of an SSH key. $1 account, $2 key, $3 public key
UPDATE ssh_keys SET public_key = $3
WHERE account_id = $1 AND id = $2 AND deleted_at IS NULL
