-- Writes decisions, unless a rule has decided on the machine at this slot, another decision of the account on the machine is on its way, or the account
-- may not set its price. $1 decisions (JSON)
INSERT INTO autopilot_decisions (
  account_id, created_by, key_id, rule_id, rule_version, source, machine_id, gpu_name, num_gpus, slot, kind, stage, old_price, new_price, refusal,
  reason, figures, adapter, state, expires_at, undoes
)
SELECT
  d.account_id, d.created_by, d.key_id, d.rule_id, d.rule_version, d.source, d.machine_id, d.gpu_name, d.num_gpus, d.slot, d.kind, d.stage,
  d.old_price, d.new_price, d.refusal, d.reason, d.figures, d.adapter, d.state, to_timestamp(d.expires_at), d.undoes
FROM jsonb_to_recordset($1) AS d(
  account_id integer, created_by integer, key_id integer, rule_id integer, rule_version integer, source text, machine_id bigint, gpu_name text,
  num_gpus integer, slot bigint, kind text, stage text, old_price numeric, new_price numeric, refusal text, reason text, figures jsonb, adapter text,
  state text, expires_at float8, undoes uuid
)
WHERE d.state <> 'decided' OR price_refusal(d.account_id, d.source, d.machine_id) IS NULL
ON CONFLICT DO NOTHING
RETURNING id, machine_id::float8
