-- Locks a scheduled job until the transaction ends. $1 account, $2 job
SELECT FROM scheduled_jobs WHERE id = $2 AND account_id = $1 FOR UPDATE
