-- The costs that an account has entered: those of all its machines first (id is null), then those of single ones. $1 account
SELECT
  c.machine_id AS id, c.kwh_price::float8, c.watts_idle::float8, c.watts_load::float8, c.fee_percent::float8, c.other_per_month::float8,
  c.purchase_price::float8, c.months::float8
FROM machine_costs c LEFT JOIN machines m ON m.id = c.machine_id
WHERE c.account_id = $1 AND (c.machine_id IS NULL OR m.account_id = $1 AND m.removed_at IS NULL)
ORDER BY c.machine_id NULLS FIRST
