-- name: forget
-- Deletes the costs of one machine. Returns a row if the account has the machine. $1 account, $2 machine
WITH forgotten AS (DELETE FROM machine_costs WHERE account_id = $1 AND machine_id = $2)
SELECT FROM machines WHERE id = $2 AND account_id = $1 AND removed_at IS NULL

-- name: list
-- The costs that an account has entered in one market: first the costs for all its machines (id is null), then costs of single
-- machines. $1 account, $2 the source of the market; null: the first one, or none if the market is the site's own
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

-- name: write
-- Replaces the costs of all machines of an account, or of one of them; no row: it has no such machine. $1 account, $2 machine; null: all,
-- $3 costs (JSON)
INSERT INTO machine_costs AS c
SELECT given.* FROM jsonb_populate_record(NULL::machine_costs, $3::jsonb || jsonb_build_object('account_id', $1::int, 'machine_id', $2::int)) AS given
WHERE $2::int IS NULL OR EXISTS (SELECT FROM machines WHERE id = $2 AND account_id = $1 AND removed_at IS NULL)
ON CONFLICT (account_id, machine_id) DO UPDATE SET
  (kwh_price, watts_idle, watts_load, fee_percent, other_per_month, purchase_price, months) = (
    excluded.kwh_price, excluded.watts_idle, excluded.watts_load, excluded.fee_percent, excluded.other_per_month, excluded.purchase_price,
    excluded.months
  )

-- name: write_of_source
-- Replaces the costs of all machines of an account in a source, or of one of them. $1 account, $2 source, $3 machine; null: all, $4 costs (JSON)
INSERT INTO source_costs AS c
SELECT given.* FROM jsonb_populate_record(
  NULL::source_costs, $4::jsonb || jsonb_build_object('account_id', $1::int, 'source', $2::text, 'machine_id', $3::bigint)
) AS given
ON CONFLICT (account_id, source, machine_id) DO UPDATE SET
  (kwh_price, watts_idle, watts_load, fee_percent, other_per_month, purchase_price, months) = (
    excluded.kwh_price, excluded.watts_idle, excluded.watts_load, excluded.fee_percent, excluded.other_per_month, excluded.purchase_price,
    excluded.months
  )
