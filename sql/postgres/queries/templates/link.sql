-- Adds a template to an account's library, or makes it the most recently updated one. $1 account, $2 template
INSERT INTO template_library (account_id, template_id, updated_at) VALUES ($1, $2, clock_timestamp())
ON CONFLICT (account_id, template_id) DO UPDATE SET deleted_at = NULL, updated_at = clock_timestamp()
