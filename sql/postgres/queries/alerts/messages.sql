-- The newest messages of an account's rules, newest first. $1 account, $2 only of this rule (or null), $3 how many at most,
-- $4 only those that are listed after this one (or null)
SELECT m.id, m.rule_id, r.name, r.source, m.slot, m.entries, m.webhook, m.attempts, m.webhook_status
FROM alert_messages m JOIN alert_rules r ON r.id = m.rule_id
WHERE r.account_id = $1 AND m.rule_id = coalesce($2, m.rule_id)
  AND ($4::uuid IS NULL OR (-m.slot, m.rule_id) > (SELECT -slot, rule_id FROM alert_messages WHERE id = $4))
ORDER BY m.slot DESC, m.rule_id
LIMIT $3
