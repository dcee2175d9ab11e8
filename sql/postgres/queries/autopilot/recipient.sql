-- Who gets mail of a decision. $1 decision
SELECT r.created_by AS person, p.email AS recipient
FROM autopilot_decisions d JOIN autopilot_rules r ON r.id = d.rule_id JOIN accounts p ON p.id = r.created_by
WHERE d.id = $1 AND r.email AND p.email_verified
