-- Starts the time for the confirmation of a phone again; no row: it is not being set up. $1 account, $2 phone
UPDATE tfa_methods SET created_at = rackrate_now()
WHERE account_id = $1 AND phone = $2 AND confirmed_at IS NULL AND deleted_at IS NULL
RETURNING id, phone
