-- The price of a machine's listing. $1 account, $2 machine
SELECT l.price::float8 AS price
FROM machines m JOIN gpu_listings l ON l.machine_id = m.id AND l.ended_at IS NULL
WHERE m.id = $2 AND m.account_id = $1 AND m.removed_at IS NULL
