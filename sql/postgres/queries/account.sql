-- name: erase
-- Erases the name, the addresses and the rights of an account. Its number stays. $1 account
UPDATE accounts SET name = 'Deleted account', email = NULL, email_verified = false, phone = NULL, is_host = false, is_admin = false, deleted_at = rackrate_now()
WHERE id = $1

-- name: find
-- The account with an id or an e-mail address. $1 id or address
SELECT id, name FROM accounts
WHERE deleted_at IS NULL AND (id::text = $1 OR lower(email) = lower($1))

-- name: obstacles
-- Counts of the things that must end before an account can be deleted. $1 account
SELECT
  (SELECT count(*) FROM teams WHERE owner_id = $1) AS teams,
  (SELECT count(*) FROM machines WHERE account_id = $1 AND removed_at IS NULL) AS machines,
  (SELECT count(*) FROM contracts WHERE account_id = $1 AND ended_at IS NULL AND (ends_at IS NULL OR ends_at > rackrate_now())) AS instances,
  (SELECT count(*) FROM volume_contracts WHERE account_id = $1 AND ended_at IS NULL AND ends_at > rackrate_now()) AS volumes

-- name: secret_columns
-- Columns of hashes and encrypted data, as table.column.
SELECT table_name || '.' || column_name AS name
FROM information_schema.columns
WHERE table_schema = 'public' AND data_type = 'bytea'

-- name: stop_jobs
-- Stops the scheduled jobs that a person wrote for teams, before the keys that they depend on are deleted. $1 person
UPDATE scheduled_jobs SET next_run_at = NULL, status = 'COMPLETED', stop_reason = 'The account that wrote this job was deleted'
WHERE created_by = $1 AND account_id <> $1 AND deleted_at IS NULL AND next_run_at IS NOT NULL

-- name: strip_templates
-- Removes the login of the registry from an account's templates that others have in their libraries. $1 account
UPDATE templates SET docker_login_pass_sealed = NULL, content = content || '{"docker_login_user": "", "docker_login_repo": ""}'
WHERE creator_id = $1
