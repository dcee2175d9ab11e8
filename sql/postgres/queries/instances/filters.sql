-- The values that the rentals of an account have in the columns that clients offer as filters. $1 account
SELECT DISTINCT c.actual_status, m.verification, m.gpu_name
FROM contracts c JOIN machines m ON m.id = c.machine_id
WHERE c.account_id = $1 AND c.ended_at IS NULL AND (c.ends_at IS NULL OR c.ends_at > rackrate_now())
ORDER BY m.gpu_name, c.actual_status, m.verification
