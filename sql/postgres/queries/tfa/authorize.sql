-- Keeps the authorization of a new 2FA method; one of an earlier request ends. $1 account, $2 hash of its secret, $3 method of its code (null:
-- e-mail or a backup code), $4 seconds that it is valid, $5 whether it is granted
INSERT INTO tfa_authorizations (account_id, secret_hash, method_id, expires_at, granted_until)
VALUES ($1, $2, $3, rackrate_now() + make_interval(secs => $4), CASE WHEN $5 THEN rackrate_now() + make_interval(secs => $4) END)
ON CONFLICT (account_id) DO UPDATE SET
  secret_hash = excluded.secret_hash, method_id = excluded.method_id, expires_at = excluded.expires_at, granted_until = excluded.granted_until
