-- Sets up an authenticator app. name: how the app shows the account. $1 account, $2 label, $3 secret (sealed)
INSERT INTO tfa_methods (account_id, kind, label, secret_sealed) VALUES ($1, 'totp', $2, $3)
RETURNING id, (SELECT coalesce(email, name) FROM accounts WHERE id = $1) AS name
