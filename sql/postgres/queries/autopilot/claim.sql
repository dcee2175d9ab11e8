-- Takes the decision on its way that has waited longest, for some seconds: others skip it so long.
-- $1 seconds until the next attempt, $2 only these decisions (or null)
WITH due AS (
  SELECT id FROM autopilot_decisions
  WHERE state IN ('decided', 'called', 'answered') AND next_try_at <= rackrate_now() AND ($2::uuid[] IS NULL OR id = ANY ($2))
  ORDER BY next_try_at LIMIT 1 FOR UPDATE SKIP LOCKED
)
UPDATE autopilot_decisions d SET attempts = d.attempts + 1, next_try_at = rackrate_now() + make_interval(secs => $1)
FROM due, autopilot_decisions o
LEFT JOIN autopilot_rules r ON r.id = o.rule_id
WHERE d.id = due.id AND o.id = d.id
RETURNING
  d.id, d.account_id, d.rule_id, d.source, d.machine_id::float8, d.gpu_name, d.num_gpus, d.kind, d.old_price::float8, d.new_price::float8, d.reason,
  d.adapter, d.state, d.attempts, rackrate_now() > d.expires_at AS is_expired, r.webhook_url, r.webhook_secret_sealed
