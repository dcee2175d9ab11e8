-- An unused challenge for the same destination whose code was sent a moment ago. $1 account, $2 method (null: e-mail), $3 seconds
SELECT FROM tfa_challenges
WHERE account_id = $1 AND method_id IS NOT DISTINCT FROM $2 AND used_at IS NULL AND sent_at > rackrate_now() - make_interval(secs => $3)
