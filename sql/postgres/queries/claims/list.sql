-- What an account claims, that of the first source first; `shown`: the machines that its key shows. $1 account
SELECT
  c.source, to_json(c.hosts) AS hosts, to_json(c.machines) AS machines,
  ARRAY (SELECT m.machine_id::float8 FROM claim_machines m WHERE m.key_id = k.id AND m.is_shown ORDER BY 1) AS shown,
  CASE WHEN k.id IS NOT NULL THEN json_build_object(
    'proven_at', floor(extract(epoch FROM k.read_at))::bigint, 'refused', k.is_refused, 'can_do_more', k.can_do_more, 'problem', coalesce(k.problem, k.earnings_problem)
  ) END AS proof
FROM claims c JOIN sources s ON s.name = c.source
LEFT JOIN claim_keys k ON k.account_id = c.account_id AND k.source = c.source
WHERE c.account_id = $1
ORDER BY NOT s.is_first, s.name
