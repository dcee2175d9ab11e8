-- Stores what rules remember, unless they were changed since they were read. $1 rules, $2 their versions, $3 their states (JSON)
UPDATE alert_rules r SET state = w.state::jsonb
FROM unnest($1::int[], $2::int[], $3::text[]) AS w(id, version, state)
WHERE r.id = w.id AND r.version = w.version
