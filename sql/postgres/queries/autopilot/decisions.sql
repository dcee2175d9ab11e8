-- Decisions, newest first. $1 only of this account (or null), $2 only of this rule (or null), $3 only these (or null), $4 how many at most,
-- $5 only those before this one (or null)
SELECT
  d.id, d.rule_id, d.source, d.machine_id::float8, d.gpu_name, d.kind, d.stage, d.old_price::float8, d.new_price::float8, d.refusal, d.reason, d.figures,
  d.adapter, d.state, d.attempts, d.answer, d.read_price::float8, d.undoes, extract(epoch FROM d.created_at)::float8 AS created_at,
  extract(epoch FROM d.done_at)::float8 AS done_at, d.account_id, a.name AS account
FROM autopilot_decisions d JOIN accounts a ON a.id = d.account_id
WHERE ($1::int IS NULL OR d.account_id = $1) AND ($2::int IS NULL OR d.rule_id = $2) AND ($3::uuid[] IS NULL OR d.id = ANY ($3))
  AND ($5::uuid IS NULL OR d.number < (SELECT number FROM autopilot_decisions WHERE id = $5))
ORDER BY d.number DESC
LIMIT $4
