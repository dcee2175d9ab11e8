-- Puts a template at the top of an account's library: its own, or a public one without a password. $1 account, $2 template
INSERT INTO template_library (account_id, template_id, is_referral)
SELECT $1, id, true FROM templates WHERE id = $2 AND (creator_id = $1 OR (content->>'private' = 'false' AND docker_login_pass_sealed IS NULL))
ON CONFLICT (account_id, template_id) DO UPDATE SET is_referral = true, deleted_at = NULL
