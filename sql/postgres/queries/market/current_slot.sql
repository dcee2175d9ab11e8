-- The slot (unix seconds) that the database's clock is in now. $1 seconds between slots
SELECT floor(extract(epoch FROM rackrate_now()) / $1)::bigint * $1 AS slot
