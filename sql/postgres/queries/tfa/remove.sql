-- Removes a confirmed 2FA method. $1 account, $2 method
UPDATE tfa_methods SET deleted_at = rackrate_now()
WHERE account_id = $1 AND id = $2 AND confirmed_at IS NOT NULL AND deleted_at IS NULL
