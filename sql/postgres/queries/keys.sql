-- name: account_for_role
-- The account with this e-mail address, created if there is none, with the role added to it. Without an address: a new account.
-- The address counts as verified: the operator names it. $1 e-mail address or null, $2 name of an account without an address, $3
-- is a host, $4 is an admin
INSERT INTO accounts (name, email, email_verified, is_host, is_admin) VALUES (coalesce($1, $2), $1, $1 IS NOT NULL, $3, $4)
ON CONFLICT (lower(email)) WHERE email IS NOT NULL
DO UPDATE SET email_verified = true, is_host = accounts.is_host OR EXCLUDED.is_host, is_admin = accounts.is_admin OR EXCLUDED.is_admin
RETURNING id

-- name: create
-- Creates an API key. $1 account, $2 person who holds it, $3 name, $4 public prefix, $5 hash, $6 permissions, $7 expiry (or
-- null), $8 the key that it represents (or null), $9 true if a browser receives it through a mailed link
INSERT INTO api_keys (account_id, created_by, name, prefix, hash, permissions, expires_at, stands_for, by_mail)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
RETURNING id

-- name: delete_expired_sessions
-- Deletes the session keys of a key that have expired. $1 key
DELETE FROM api_keys WHERE stands_for = $1 AND expires_at <= rackrate_now()

-- name: find
-- The holder of a key by its public prefix, with the holder's current rights. $1 prefix A key for a call of a scheduled job
-- counts as the key that created the job, and ends with it. role_permissions: of the person's current role when the key acts for
-- a team; the team's owner has the role `owner`.
SELECT
  coalesce(k.stands_for, k.id) AS key_id, k.hash, k.expires_at, k.account_id, k.created_by, k.permissions, a.kind, a.is_admin,
  a.is_host OR EXISTS (SELECT FROM machines m WHERE m.account_id = a.id AND m.removed_at IS NULL) AS is_host,
  EXISTS (SELECT FROM machines m WHERE m.account_id = a.id AND m.removed_at IS NULL AND m.online) AS has_active_machine,
  ARRAY (SELECT c.source FROM claims c WHERE c.account_id = a.id ORDER BY 1) AS claimed_sources,
  EXISTS (SELECT FROM claims c JOIN sources s ON s.name = c.source WHERE c.account_id = a.id AND s.is_first) AS claims_first,
  EXISTS (
    SELECT FROM api_keys d WHERE d.id IN (k.id, k.stands_for) AND (d.revoked_at IS NOT NULL OR d.expires_at <= rackrate_now())
  ) AS is_dead,
  r.name AS role_name, r.permissions AS role_permissions
FROM api_keys k
JOIN accounts a ON a.id = k.account_id
LEFT JOIN teams t ON t.account_id = a.id
LEFT JOIN team_members tm ON tm.team_id = t.account_id AND tm.user_id = k.created_by
LEFT JOIN roles r ON CASE WHEN t.owner_id = k.created_by THEN r.team_id IS NULL AND r.name = 'owner' ELSE r.id = tm.role_id END
WHERE k.prefix = $1

-- name: holder
-- The name of an account, and the verified address of the person who holds a key of it. $1 account, $2 person
SELECT a.name, CASE WHEN p.email_verified THEN p.email END AS email FROM accounts a, accounts p WHERE a.id = $1 AND p.id = $2

-- name: list
-- The valid API keys of a person, in the order they were created. $1 person, $2 only keys that act for this account (or null)
SELECT
  k.id, k.account_id AS user_id, NULL AS key, CASE a.kind WHEN 'team' THEN 'team' ELSE 'user' END AS key_type, k.name, k.prefix, k.permissions,
  CASE a.kind WHEN 'team' THEN a.id END AS team_id, CASE a.kind WHEN 'team' THEN a.name END AS team_name,
  extract(epoch FROM k.created_at)::float8 AS created_at, extract(epoch FROM k.expires_at)::float8 AS expires_at,
  extract(epoch FROM k.last_used_at)::float8 AS last_used_at
FROM api_keys k JOIN accounts a ON a.id = k.account_id
WHERE k.stands_for IS NULL AND k.created_by = $1 AND k.account_id = coalesce($2, k.account_id) AND k.revoked_at IS NULL
  AND (k.expires_at IS NULL OR k.expires_at > rackrate_now())
ORDER BY k.id

-- name: revoke
-- Revokes an API key and stops its scheduled jobs. $1 its id, as text, or its public prefix. Returns the key and the jobs; no row: no such key
WITH revoked AS (
  UPDATE api_keys SET revoked_at = rackrate_now()
  WHERE (id::text = $1 OR prefix = $1) AND revoked_at IS NULL
  RETURNING id, account_id, created_by
),
stopped AS (
  -- A job without a key is of an earlier release: any key of its holder for this account may have written it.
  UPDATE scheduled_jobs j SET next_run_at = NULL, status = 'COMPLETED', stop_reason = 'The API key that wrote this job was revoked'
  FROM revoked r
  WHERE (j.key_id = r.id OR (j.key_id IS NULL AND j.account_id = r.account_id AND j.created_by = r.created_by))
    AND j.next_run_at IS NOT NULL AND j.deleted_at IS NULL
  RETURNING j.id
)
SELECT id, ARRAY(SELECT id FROM stopped ORDER BY id) AS stopped_jobs FROM revoked

-- name: revoke_own
-- Revokes an API key of a person and stops its scheduled jobs. $1 person, $2 only a key that acts for this account (or null), $3 key.
-- Returns the key and the jobs; no row: no such key
WITH revoked AS (
  UPDATE api_keys SET revoked_at = rackrate_now()
  WHERE created_by = $1 AND account_id = coalesce($2, account_id) AND id = $3 AND revoked_at IS NULL
  RETURNING id, account_id, created_by
),
stopped AS (
  -- A job without a key is of an earlier release: any key of its holder for this account may have written it.
  UPDATE scheduled_jobs j SET next_run_at = NULL, status = 'COMPLETED', stop_reason = 'The API key that wrote this job was revoked'
  FROM revoked r
  WHERE (j.key_id = r.id OR (j.key_id IS NULL AND j.account_id = r.account_id AND j.created_by = r.created_by))
    AND j.next_run_at IS NOT NULL AND j.deleted_at IS NULL
  RETURNING j.id
)
SELECT id, ARRAY(SELECT id FROM stopped ORDER BY id) AS stopped_jobs FROM revoked

-- name: touch
-- Records the use of a key, to the minute. $1 id
UPDATE api_keys SET last_used_at = rackrate_now() WHERE id = $1 AND (last_used_at IS NULL OR last_used_at < rackrate_now() - interval '1 minute')
