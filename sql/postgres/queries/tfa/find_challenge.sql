-- The unused challenge of an account with this secret. $1 account, $2 hash of the secret
SELECT id, method_id, code_hash, sends, expires_at <= rackrate_now() AS is_expired
FROM tfa_challenges
WHERE account_id = $1 AND secret_hash = $2 AND used_at IS NULL
