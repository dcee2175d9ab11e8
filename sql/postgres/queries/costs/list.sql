-- The costs that an account has entered in one market: those of all its machines first (id is null), then those of single ones. $1 account,
-- $2 the source of the market; null: the first one, or none where the market is that of the site itself
WITH market AS (SELECT name FROM sources WHERE CASE WHEN $2::text IS NULL THEN is_first ELSE name = $2 END)
SELECT
  c.machine_id::bigint AS id, c.kwh_price::float8, c.watts_idle::float8, c.watts_load::float8, c.fee_percent::float8, c.other_per_month::float8,
  c.purchase_price::float8, c.months::float8
FROM machine_costs c LEFT JOIN machines m ON m.id = c.machine_id
WHERE c.account_id = $1 AND (c.machine_id IS NULL OR m.account_id = $1 AND m.removed_at IS NULL) AND NOT EXISTS (SELECT FROM market)
UNION ALL
SELECT
  c.machine_id, c.kwh_price::float8, c.watts_idle::float8, c.watts_load::float8, c.fee_percent::float8, c.other_per_month::float8,
  c.purchase_price::float8, c.months::float8
FROM source_costs c JOIN market ON market.name = c.source
WHERE c.account_id = $1
ORDER BY id NULLS FIRST
