-- Notes a good reading. $1 catalog, $2 provider, $3 where it was read from, $4 the time that its prices are of (unix seconds), $5 offers,
-- $6 what was left out, $7 validators, $8 seconds until it is read again
INSERT INTO catalogs (catalog, provider, place, read_at, offers, left_out, validators, ask_after)
VALUES ($1, $2, $3, to_timestamp($4), $5, $6, $7, rackrate_now() + make_interval(secs => $8))
ON CONFLICT (catalog, provider) DO UPDATE
SET
  place = $3, read_at = EXCLUDED.read_at, offers = $5, left_out = $6, validators = $7, ask_after = EXCLUDED.ask_after,
  failures = 0, problem = NULL
