-- name: ask
-- Records that a provider of a catalog is read now. No row: it is not due. While it is read, and after the process died, other
-- processes skip it for the duration of a request. $1 catalog, $2 provider, $3 place that it is read from, $4 seconds that a
-- request may take
INSERT INTO catalogs (catalog, provider, place, ask_after)
VALUES ($1, $2, $3, rackrate_now() + make_interval(secs => $4))
ON CONFLICT (catalog, provider) DO UPDATE
SET
  place = $3, ask_after = EXCLUDED.ask_after,
  validators = CASE WHEN catalogs.place = $3 THEN catalogs.validators END
-- At most a day: a later time was written by a wrong clock.
WHERE
  catalogs.ask_after <= rackrate_now() OR catalogs.ask_after > rackrate_now() + interval '25 hours'
  OR catalogs.place <> $3
RETURNING offers, failures, validators

-- name: fail
-- Records a failed reading. It is retried after 10 minutes, then 20, 40, and every hour. $1 catalog, $2 provider, $3 the reason,
-- $4 the earliest next request that the catalog accepts (unix seconds; 0: not reported)
UPDATE catalogs
SET
  failures = failures + 1, problem = $3,
  ask_after = greatest(to_timestamp($4), rackrate_now() + least(interval '1 hour', interval '10 minutes' * 2 ^ least(failures, 3)))
WHERE catalog = $1 AND provider = $2

-- name: list
-- Every provider of every catalog, with the result of its newest reading
SELECT
  catalog, provider, place, floor(extract(epoch FROM read_at))::bigint AS read_at, offers, left_out, left_out_rows, failures, problem
FROM catalogs ORDER BY catalog, provider

-- name: repeat
-- Records that a catalog has not changed since its last good reading. $1 catalog, $2 provider, $3 the time of the request (unix
-- seconds), $4 seconds until it is read again
UPDATE catalogs
SET read_at = to_timestamp($3), failures = 0, problem = NULL, ask_after = rackrate_now() + make_interval(secs => $4)
WHERE catalog = $1 AND provider = $2

-- name: take
-- Records a good reading. $1 catalog, $2 provider, $3 place that it was read from, $4 the time of its prices (unix seconds), $5
-- offers, $6 the rows left out, $7 validators, $8 seconds until it is read again, $9 the first rows left out
INSERT INTO catalogs (catalog, provider, place, read_at, offers, left_out, validators, ask_after, left_out_rows)
VALUES ($1, $2, $3, to_timestamp($4), $5, $6, $7, rackrate_now() + make_interval(secs => $8), $9)
ON CONFLICT (catalog, provider) DO UPDATE
SET
  place = $3, read_at = EXCLUDED.read_at, offers = $5, left_out = $6, validators = $7, ask_after = EXCLUDED.ask_after, left_out_rows = $9,
  failures = 0, problem = NULL
