-- How many unused backup codes an account has. $1 account
SELECT count(*)::int AS n FROM backup_codes
WHERE account_id = $1 AND used_at IS NULL
