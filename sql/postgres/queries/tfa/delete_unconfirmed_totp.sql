-- Deletes an authenticator app that was set up and not confirmed. $1 account
DELETE FROM tfa_methods
WHERE account_id = $1 AND kind = 'totp' AND confirmed_at IS NULL
