-- The newest messages of an account's rules, newest first. $1 account, $2 only of this rule (or null), $3 how many at most
SELECT m.id, m.rule_id, r.name, r.source, m.slot, m.entries, m.webhook, m.attempts, m.webhook_status
FROM alert_messages m JOIN alert_rules r ON r.id = m.rule_id
WHERE r.account_id = $1 AND m.rule_id = coalesce($2, m.rule_id)
ORDER BY m.slot DESC, m.rule_id
LIMIT $3
