-- The code of a person that has neither expired nor been used, if it was sent to the address that the person still has. $1 account
SELECT c.code_hash, a.name, a.email
FROM sign_in_codes c JOIN accounts a ON a.id = c.account_id
WHERE c.account_id = $1 AND c.expires_at > rackrate_now() AND a.email = c.email AND a.email_verified
