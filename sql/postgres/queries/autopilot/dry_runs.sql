-- What rules would have changed in their dry runs, by machine, in order: when, the price before and the one behind it. $1 rules
SELECT
  d.rule_id, d.machine_id::float8 AS id, max(d.num_gpus) AS num_gpus,
  json_agg(
    json_build_object('at', extract(epoch FROM d.created_at)::float8, 'old', d.old_price::float8, 'price', d.new_price::float8)
    ORDER BY d.number
  ) AS steps
FROM autopilot_decisions d JOIN autopilot_rules r ON r.id = d.rule_id
WHERE d.rule_id = ANY ($1) AND d.stage = 'dry_run' AND d.kind = 'change' AND d.created_at >= r.dry_run_since
GROUP BY d.rule_id, d.machine_id
ORDER BY d.rule_id, d.machine_id
