-- The authorization of a new 2FA method that has not expired. $1 account
SELECT secret_hash, method_id, coalesce(granted_until > rackrate_now(), false) AS is_granted
FROM tfa_authorizations
WHERE account_id = $1 AND greatest(expires_at, granted_until) > rackrate_now()
