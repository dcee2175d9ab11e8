-- Gives the person with this verified address a code to sign in with, which replaces an earlier one; no row: there is no such person.
-- $1 address, $2 hash of the code, $3 seconds that it is valid
INSERT INTO sign_in_codes (account_id, email, code_hash, expires_at)
SELECT id, email, $2, rackrate_now() + make_interval(secs => $3)
FROM accounts
WHERE lower(email) = lower($1) AND email_verified AND kind = 'person'
ON CONFLICT (account_id) DO UPDATE SET email = excluded.email, code_hash = excluded.code_hash, expires_at = excluded.expires_at
RETURNING account_id AS id, email
