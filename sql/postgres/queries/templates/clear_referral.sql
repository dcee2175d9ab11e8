-- Leaves an account's library without a referral template. $1 account
UPDATE template_library SET is_referral = false
WHERE account_id = $1 AND is_referral
