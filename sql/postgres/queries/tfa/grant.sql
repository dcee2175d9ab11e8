-- Grants the authorization of a new 2FA method. $1 account, $2 seconds that it is valid
UPDATE tfa_authorizations SET granted_until = rackrate_now() + make_interval(secs => $2) WHERE account_id = $1
