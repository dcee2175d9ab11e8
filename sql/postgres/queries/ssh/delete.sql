-- Deletes an SSH key. $1 account, $2 key
UPDATE ssh_keys SET deleted_at = rackrate_now()
WHERE account_id = $1 AND id = $2 AND deleted_at IS NULL
