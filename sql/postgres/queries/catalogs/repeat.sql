-- Notes that a catalog has not changed since its last good reading. $1 catalog, $2 provider, $3 the time of the request (unix seconds),
-- $4 seconds until it is read again
UPDATE catalogs
SET read_at = to_timestamp($3), failures = 0, problem = NULL, ask_after = rackrate_now() + make_interval(secs => $4)
WHERE catalog = $1 AND provider = $2
