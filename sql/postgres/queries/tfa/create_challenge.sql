-- Creates a challenge. $1 account, $2 method (null: e-mail), $3 hash of the secret, $4 hash of the code, $5 seconds it is valid
INSERT INTO tfa_challenges (account_id, method_id, secret_hash, code_hash, expires_at)
VALUES ($1, $2, $3, $4, rackrate_now() + make_interval(secs => $5))
