-- name: accounts
-- The accounts that have machines in a market. $1 the name of its source; NULL: the first
SELECT DISTINCT account_id FROM (
  SELECT m.account_id FROM machines m
  WHERE m.removed_at IS NULL AND $1::text IS NULL AND NOT EXISTS (SELECT FROM sources WHERE is_first)
  UNION ALL
  SELECT c.account_id FROM claims c JOIN sources s ON s.name = c.source
  WHERE CASE WHEN $1::text IS NULL THEN s.is_first ELSE s.name = $1 END
) AS owners
ORDER BY account_id

-- name: keep
-- Stores the advice of an account at a snapshot. A machine has one row a day, which stays unchanged. $1 account, $2 source, $3 the snapshot (unix
-- seconds), $4 advice as JSON
INSERT INTO price_advice (account_id, source, machine_id, given_at, verdict, basis, price, advised, gain, gain_low, gain_high, before)
SELECT
  $1, $2, given.machine_id, to_timestamp($3::float8), given.verdict, given.basis, given.price, given.advised, given.gain, given.gain_low,
  given.gain_high, given.before
FROM jsonb_to_recordset($4::jsonb) AS given (
  machine_id bigint, verdict text, basis text, price numeric, advised numeric, gain double precision, gain_low double precision,
  gain_high double precision, before double precision
)
ON CONFLICT DO NOTHING

-- name: due
-- Advice of an account without an outcome, that is seven days old at a snapshot and not nine. $1 account, $2 source, $3 the snapshot (unix seconds)
SELECT machine_id::float8 AS machine_id, extract(epoch FROM given_at)::float8 AS given_at, basis, price::float8 AS price, advised::float8 AS advised
FROM price_advice
WHERE account_id = $1 AND source IS NOT DISTINCT FROM $2 AND judged_at IS NULL
  AND given_at <= to_timestamp($3::float8) - interval '7 days' AND given_at > to_timestamp($3::float8) - interval '9 days'

-- name: judge
-- Stores outcomes of advice. $1 account, $2 source, $3 outcomes as JSON
UPDATE price_advice AS p SET judged_at = rackrate_now(), followed = known.followed, after = known.after
FROM jsonb_to_recordset($3::jsonb) AS known (machine_id bigint, given_at double precision, followed boolean, after double precision)
WHERE p.account_id = $1 AND p.source IS NOT DISTINCT FROM $2 AND p.machine_id = known.machine_id
  AND p.given_at = to_timestamp(known.given_at) AND p.judged_at IS NULL

-- name: given
-- The advice to an account since a time, newest first. $1 account, $2 source, $3 since (unix seconds), $4 the most rows
SELECT
  machine_id::float8 AS machine_id, extract(epoch FROM given_at)::float8 AS given_at, verdict, basis, price::float8 AS price,
  advised::float8 AS advised, gain, gain_low, gain_high, before, followed, after
FROM price_advice
WHERE account_id = $1 AND source IS NOT DISTINCT FROM $2 AND given_at >= to_timestamp($3::float8)
ORDER BY given_at DESC, machine_id
LIMIT $4
