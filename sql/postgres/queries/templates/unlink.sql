-- Removes a template from an account's library. $1 account, $2 template
UPDATE template_library SET deleted_at = rackrate_now(), is_referral = false
WHERE account_id = $1 AND template_id = $2
