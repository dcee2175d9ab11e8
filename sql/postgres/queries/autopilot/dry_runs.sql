-- What rules would have changed in their dry runs: the newest price of each machine, and when. $1 rules
SELECT
  d.rule_id, d.machine_id::float8 AS id, (array_agg(d.new_price ORDER BY d.number DESC))[1]::float8 AS price,
  json_agg(extract(epoch FROM d.created_at)::float8) AS times
FROM autopilot_decisions d JOIN autopilot_rules r ON r.id = d.rule_id
WHERE d.rule_id = ANY ($1) AND d.stage = 'dry_run' AND d.kind = 'change' AND d.created_at >= r.dry_run_since
GROUP BY d.rule_id, d.machine_id
