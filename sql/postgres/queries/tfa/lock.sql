-- Until when (unix seconds) a 2FA method is locked, and how many wrong codes there were; no row: it is not. $1 account, $2 method
SELECT fail_count, extract(epoch FROM locked_until)::float8 AS locked_until
FROM tfa_failures
WHERE account_id = $1 AND method = $2 AND locked_until > rackrate_now()
