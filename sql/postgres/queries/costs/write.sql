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
