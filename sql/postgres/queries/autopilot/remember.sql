-- Stores what rules said last, and that some of them stop, unless they were changed since they were read. $1 rules, $2 their versions, $3 their states
-- (JSON), $4 why they stop (null: they go on)
UPDATE autopilot_rules r SET state = w.state::jsonb, stop_reason = w.stop_reason
FROM unnest($1::int[], $2::int[], $3::text[], $4::text[]) AS w(id, version, state, stop_reason)
WHERE r.id = w.id AND r.version = w.version
