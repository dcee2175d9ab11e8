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
