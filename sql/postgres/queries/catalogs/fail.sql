-- Notes that a reading failed. It is tried again after 10 minutes, then 20, 40, and every hour. $1 catalog, $2 provider, $3 why, $4 when the
-- catalog wants to be asked again at the earliest (unix seconds; 0: it says nothing)
UPDATE catalogs
SET
  failures = failures + 1, problem = $3,
  ask_after = greatest(to_timestamp($4), rackrate_now() + least(interval '1 hour', interval '10 minutes' * 2 ^ least(failures, 3)))
WHERE catalog = $1 AND provider = $2
