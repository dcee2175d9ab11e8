-- Uses up a backup code. $1 account, $2 hash of the code
UPDATE backup_codes SET used_at = rackrate_now()
WHERE account_id = $1 AND code_hash = $2 AND used_at IS NULL
