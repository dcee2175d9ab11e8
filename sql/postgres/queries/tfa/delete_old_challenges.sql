-- Deletes the challenges of an account that expired more than a day ago. $1 account
DELETE FROM tfa_challenges
WHERE account_id = $1 AND expires_at < rackrate_now() - interval '1 day'
