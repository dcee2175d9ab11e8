-- The rules of an account in the order they were created. $1 account, $2 only this rule (or null), $3 seconds of a dry run before `live`
SELECT
  r.id, r.name, r.source, r.machine_id::float8, r.gpu_name, r.settings, r.webhook_url, r.email, r.stage, r.version,
  extract(epoch FROM r.dry_run_since)::float8 AS dry_run_since,
  extract(epoch FROM r.dry_run_since + make_interval(secs => $3))::float8 AS live_from,
  coalesce(r.stop_reason, autopilot_refusal(r.key_id, r.source)) AS stop_reason,
  extract(epoch FROM r.created_at)::float8 AS created_at
FROM autopilot_rules r
WHERE r.account_id = $1 AND r.id = coalesce($2, r.id)
ORDER BY r.id
