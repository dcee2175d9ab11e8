-- name: ask
-- Gives the person with this verified address a code to sign in with, which replaces an earlier one; no row: there is no such person.
-- $1 address, $2 hash of the code, $3 seconds that it is valid
INSERT INTO sign_in_codes (account_id, email, code_hash, expires_at)
SELECT id, email, $2, rackrate_now() + make_interval(secs => $3)
FROM accounts
WHERE lower(email) = lower($1) AND email_verified AND kind = 'person'
ON CONFLICT (account_id) DO UPDATE SET email = excluded.email, code_hash = excluded.code_hash, expires_at = excluded.expires_at
RETURNING account_id AS id, email

-- name: ask_short
-- Stores the short code of a mail to sign in, which replaces an earlier one of the person. An unknown address gets a row too, so
-- that a guess takes the same time. $1 address, $2 hash of the request, $3 hash of request and code, $4 seconds that it is valid
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

-- name: find
-- The code of a person that has neither expired nor been used, if the person still has the address that it was sent to. $1
-- account
SELECT c.code_hash, a.name, a.email
FROM sign_in_codes c JOIN accounts a ON a.id = c.account_id
WHERE c.account_id = $1 AND c.expires_at > rackrate_now() AND a.email = c.email AND a.email_verified

-- name: guess
-- Counts a guess of a short code, and returns the right code and its person, as `find` does. $1 hash of the request, $2 most
-- guesses
WITH guessed AS (
  UPDATE sign_in_short_codes SET guesses = guesses + 1
  WHERE request_hash = $1 AND guesses < $2 AND expires_at > rackrate_now()
  RETURNING account_id, code_hash
)
SELECT g.account_id AS id, g.code_hash, a.name, a.email
FROM guessed g JOIN sign_in_codes c USING (account_id) JOIN accounts a ON a.id = c.account_id
WHERE c.expires_at > rackrate_now() AND a.email = c.email AND a.email_verified

-- name: sign_out
-- Expires a key that a browser received through a mailed link. No row: it is no such key, or has ended. $1 key
UPDATE api_keys SET expires_at = rackrate_now() WHERE id = $1 AND by_mail AND revoked_at IS NULL AND expires_at > rackrate_now()
RETURNING id

-- name: use
-- Uses up the link and the short code of a person, in the order in which they are written. $1 account
WITH short AS (DELETE FROM sign_in_short_codes WHERE account_id = $1)
DELETE FROM sign_in_codes WHERE account_id = $1
