-- The receiver of a rule's webhook answered 410: nothing more is sent to it. $1 rule, $2 the address that answered
WITH gone AS (
  UPDATE alert_rules SET webhook_gone_at = rackrate_now() WHERE id = $1 AND webhook_url = $2 AND webhook_gone_at IS NULL RETURNING id
)
UPDATE alert_messages SET webhook = 'failed' WHERE rule_id IN (SELECT id FROM gone) AND webhook = 'waiting'
