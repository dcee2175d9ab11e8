-- How many codes were sent to an account in the last hour. $1 account
SELECT coalesce(sum(sends), 0)::int AS sends FROM tfa_challenges
WHERE account_id = $1 AND sent_at > rackrate_now() - interval '1 hour'
