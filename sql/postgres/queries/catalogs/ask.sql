-- Notes that a provider of a catalog is read now. No row: it is not due. While it is read, and when the process ends, others leave it alone for
-- as long as a request may take. $1 catalog, $2 provider, $3 where it is read from, $4 seconds that a request may take
INSERT INTO catalogs (catalog, provider, place, ask_after)
VALUES ($1, $2, $3, rackrate_now() + make_interval(secs => $4))
ON CONFLICT (catalog, provider) DO UPDATE
SET
  place = $3, ask_after = EXCLUDED.ask_after,
  validators = CASE WHEN catalogs.place = $3 THEN catalogs.validators END
-- At most a day: what is further away was written by a clock that was wrong.
WHERE
  catalogs.ask_after <= rackrate_now() OR catalogs.ask_after > rackrate_now() + interval '25 hours'
  OR catalogs.place <> $3
RETURNING offers, failures, validators
