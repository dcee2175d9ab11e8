-- Deletes the methods of an account that are not confirmed. $1 account
DELETE FROM tfa_methods WHERE account_id = $1 AND confirmed_at IS NULL
