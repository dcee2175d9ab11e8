-- The phone of a method that is confirmed or can still be. $1 method, $2 seconds that a method waits for its confirmation
SELECT id, phone, confirmed_at IS NOT NULL AS is_confirmed FROM tfa_methods
WHERE id = $1 AND kind = 'sms' AND deleted_at IS NULL
  AND (confirmed_at IS NOT NULL OR created_at > rackrate_now() - make_interval(secs => $2))
