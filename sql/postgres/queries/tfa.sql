-- name: authorization
-- The authorization of a new 2FA method that has not expired. $1 account
SELECT secret_hash, method_id, coalesce(granted_until > rackrate_now(), false) AS is_granted
FROM tfa_authorizations
WHERE account_id = $1 AND greatest(expires_at, granted_until) > rackrate_now()

-- name: authorize
-- Stores the authorization of a new 2FA method, which ends an earlier one. $1 account, $2 hash of its secret, $3 method of its
-- code (null: e-mail or a backup code), $4 seconds that it is valid, $5 true if it is granted
INSERT INTO tfa_authorizations (account_id, secret_hash, method_id, expires_at, granted_until)
VALUES ($1, $2, $3, rackrate_now() + make_interval(secs => $4), CASE WHEN $5 THEN rackrate_now() + make_interval(secs => $4) END)
ON CONFLICT (account_id) DO UPDATE SET
  secret_hash = excluded.secret_hash, method_id = excluded.method_id, expires_at = excluded.expires_at, granted_until = excluded.granted_until

-- name: change
-- Changes a confirmed 2FA method. Only one is the primary one. $1 account, $2 method, $3 label (null: unchanged), $4 primary
-- (null: unchanged)
UPDATE tfa_methods SET
  label = CASE WHEN id = $2 THEN coalesce($3, label) ELSE label END,
  is_primary = CASE WHEN id = $2 THEN coalesce($4, is_primary) ELSE is_primary AND NOT coalesce($4, false) END
WHERE account_id = $1 AND confirmed_at IS NOT NULL AND deleted_at IS NULL

-- name: confirm
-- Activates a method. $1 method, $2 label (null: unchanged)
UPDATE tfa_methods SET confirmed_at = rackrate_now(), label = coalesce($2, label) WHERE id = $1

-- name: count_backup_codes
-- Number of unused backup codes of an account. $1 account
SELECT count(*)::int AS n FROM backup_codes
WHERE account_id = $1 AND used_at IS NULL

-- name: count_failure
-- Counts a wrong code and locks the method for 15 minutes at the $3rd in a row. After a lock has ended, the count starts again.
-- $1 account, $2 method, $3 failures in a row that lock
INSERT INTO tfa_failures AS f (account_id, method, fail_count) VALUES ($1, $2, 1)
ON CONFLICT (account_id, method) DO UPDATE SET
  fail_count = CASE WHEN f.locked_until IS NULL THEN f.fail_count + 1 ELSE 1 END,
  locked_until = CASE WHEN f.locked_until IS NULL AND f.fail_count + 1 >= $3 THEN rackrate_now() + interval '15 minutes' END
RETURNING fail_count, extract(epoch FROM locked_until)::float8 AS locked_until

-- name: create_backup_codes
-- Stores backup codes. $1 account, $2 hashes of the codes
INSERT INTO backup_codes (account_id, code_hash)
SELECT $1, unnest($2::bytea[])

-- name: create_challenge
-- Creates a challenge. $1 account, $2 method (null: e-mail), $3 hash of the secret, $4 hash of the code, $5 seconds it is valid
INSERT INTO tfa_challenges (account_id, method_id, secret_hash, code_hash, expires_at)
VALUES ($1, $2, $3, $4, rackrate_now() + make_interval(secs => $5))

-- name: create_phone
-- Sets up a phone. $1 account, $2 label, $3 phone
INSERT INTO tfa_methods (account_id, kind, label, phone) VALUES ($1, 'sms', $2, $3)
RETURNING id, phone

-- name: create_totp
-- Sets up an authenticator app. name: how the app shows the account. $1 account, $2 label, $3 secret (sealed)
INSERT INTO tfa_methods (account_id, kind, label, secret_sealed) VALUES ($1, 'totp', $2, $3)
RETURNING id, (SELECT coalesce(email, name) FROM accounts WHERE id = $1) AS name

-- name: delete_old_challenges
-- Deletes the challenges of an account that expired more than a day ago. $1 account
DELETE FROM tfa_challenges
WHERE account_id = $1 AND expires_at < rackrate_now() - interval '1 day'

-- name: delete_unconfirmed
-- Deletes the methods of an account that are not confirmed. $1 account
DELETE FROM tfa_methods WHERE account_id = $1 AND confirmed_at IS NULL

-- name: delete_unconfirmed_totp
-- Deletes an authenticator app that was set up and not confirmed. $1 account
DELETE FROM tfa_methods
WHERE account_id = $1 AND kind = 'totp' AND confirmed_at IS NULL

-- name: email
-- The e-mail address of an account; a team has none. $1 account
SELECT CASE kind WHEN 'person' THEN email END AS email, email_verified
FROM accounts
WHERE id = $1

-- name: find_challenge
-- The unused challenge of an account with this secret. $1 account, $2 hash of the secret
SELECT id, method_id, code_hash, sends, expires_at <= rackrate_now() AS is_expired
FROM tfa_challenges
WHERE account_id = $1 AND secret_hash = $2 AND used_at IS NULL

-- name: grant
-- Grants the authorization of a new 2FA method. $1 account, $2 seconds that it is valid
UPDATE tfa_authorizations SET granted_until = rackrate_now() + make_interval(secs => $2) WHERE account_id = $1

-- name: lock
-- Lock of a 2FA method: its end (unix seconds), and the number of wrong codes; no row: it is not locked. $1 account, $2 method
SELECT fail_count, extract(epoch FROM locked_until)::float8 AS locked_until
FROM tfa_failures
WHERE account_id = $1 AND method = $2 AND locked_until > rackrate_now()

-- name: methods
-- The confirmed 2FA methods of an account, oldest first, with the wrong codes in a row. $1 account
SELECT
  m.id, m.kind, m.label, m.phone, m.secret_sealed, extract(epoch FROM m.created_at)::float8 AS created_at,
  extract(epoch FROM m.last_used_at)::float8 AS last_used,
  row_number() OVER (ORDER BY m.is_primary DESC, m.id) = 1 AS is_primary,
  coalesce(f.fail_count, 0) AS fail_count,
  extract(epoch FROM CASE WHEN f.locked_until > rackrate_now() THEN f.locked_until END)::float8 AS locked_until
FROM tfa_methods m
LEFT JOIN tfa_failures f ON f.account_id = m.account_id AND f.method = m.id::text
WHERE m.account_id = $1 AND m.confirmed_at IS NOT NULL AND m.deleted_at IS NULL
ORDER BY m.id

-- name: phone
-- The phone of a method that is confirmed or can still be. $1 method, $2 seconds that a method waits for its confirmation
SELECT id, phone, confirmed_at IS NOT NULL AS is_confirmed FROM tfa_methods
WHERE id = $1 AND kind = 'sms' AND deleted_at IS NULL
  AND (confirmed_at IS NOT NULL OR created_at > rackrate_now() - make_interval(secs => $2))

-- name: recent_challenge
-- An unused challenge for the same destination whose code was sent less than $3 seconds ago. $1 account, $2 method (null:
-- e-mail), $3 seconds
SELECT FROM tfa_challenges
WHERE account_id = $1 AND method_id IS NOT DISTINCT FROM $2 AND used_at IS NULL AND sent_at > rackrate_now() - make_interval(secs => $3)

-- name: refresh_challenge
-- Gives a challenge a new code. $1 challenge, $2 hash of the code, $3 seconds it is valid
UPDATE tfa_challenges SET
  code_hash = $2, sends = sends + 1, sent_at = rackrate_now(), expires_at = rackrate_now() + make_interval(secs => $3)
WHERE id = $1

-- name: remove
-- Removes a confirmed 2FA method. $1 account, $2 method
UPDATE tfa_methods SET deleted_at = rackrate_now()
WHERE account_id = $1 AND id = $2 AND confirmed_at IS NOT NULL AND deleted_at IS NULL

-- name: renew_phone
-- Restarts the time for the confirmation of a phone; no row: it is not being set up. $1 account, $2 phone
UPDATE tfa_methods SET created_at = rackrate_now()
WHERE account_id = $1 AND phone = $2 AND confirmed_at IS NULL AND deleted_at IS NULL
RETURNING id, phone

-- name: sends_per_hour
-- Number of codes sent to an account in the last hour. $1 account
SELECT coalesce(sum(sends), 0)::int AS sends FROM tfa_challenges
WHERE account_id = $1 AND sent_at > rackrate_now() - interval '1 hour'

-- name: unconfirmed
-- A method that is being set up. $1 account, $2 kind, $3 only this method (or null), $4 seconds that a method waits for its confirmation
SELECT id, secret_sealed, phone FROM tfa_methods
WHERE account_id = $1 AND kind = $2 AND id = coalesce($3, id) AND confirmed_at IS NULL AND deleted_at IS NULL
  AND created_at > rackrate_now() - make_interval(secs => $4)

-- name: use_backup_code
-- Uses up a backup code. $1 account, $2 hash of the code
UPDATE backup_codes SET used_at = rackrate_now()
WHERE account_id = $1 AND code_hash = $2 AND used_at IS NULL
