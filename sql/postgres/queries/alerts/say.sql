-- Writes what rules say at a slot. $1 slot, $2 rules, $3 their entries (JSON), $4 whether each has a webhook
INSERT INTO alert_messages (slot, rule_id, entries, webhook)
SELECT $1, w.rule_id, w.entries::jsonb, CASE WHEN w.has_webhook THEN 'waiting' END
FROM unnest($2::int[], $3::text[], $4::boolean[]) AS w(rule_id, entries, has_webhook)
