-- How many templates an account's library has. $1 account
SELECT count(*)::int AS n FROM template_library
WHERE account_id = $1 AND deleted_at IS NULL
