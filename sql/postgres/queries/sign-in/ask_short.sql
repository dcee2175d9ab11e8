-- Keeps the short code of a mail to sign in, which replaces an earlier one of the person. An address that nobody has gets a row too, so that
-- a guess takes the same time. $1 address, $2 hash of the request, $3 hash of request and code, $4 seconds that it is valid
WITH expired AS (
  DELETE FROM sign_in_short_codes WHERE request_hash IN (
    SELECT request_hash FROM sign_in_short_codes WHERE account_id IS NULL AND expires_at <= rackrate_now() FOR UPDATE SKIP LOCKED
  )
)
INSERT INTO sign_in_short_codes (account_id, request_hash, code_hash, expires_at)
VALUES (
  (SELECT id FROM accounts WHERE lower(email) = lower($1) AND email_verified AND kind = 'person'),
  $2, $3, rackrate_now() + make_interval(secs => $4)
)
ON CONFLICT (account_id) DO UPDATE
SET request_hash = excluded.request_hash, code_hash = excluded.code_hash, guesses = 0, expires_at = excluded.expires_at
