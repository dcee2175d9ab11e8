-- A method that is being set up. $1 account, $2 kind, $3 only this method (or null), $4 seconds that a method waits for its confirmation
SELECT id, secret_sealed, phone FROM tfa_methods
WHERE account_id = $1 AND kind = $2 AND id = coalesce($3, id) AND confirmed_at IS NULL AND deleted_at IS NULL
  AND created_at > rackrate_now() - make_interval(secs => $4)
