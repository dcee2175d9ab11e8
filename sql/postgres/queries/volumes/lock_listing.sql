-- Locks the machine of a live volume listing of an account. No row: the account has no such listing. $1 account, $2 listing
SELECT l.id
FROM volume_listings l JOIN machines m ON m.id = l.machine_id
WHERE m.account_id = $1 AND l.id = $2 AND m.removed_at IS NULL AND l.ended_at IS NULL AND l.end_date > rackrate_now()
FOR UPDATE OF m, l
