-- Notes an attempt to deliver the message that has waited longest for its webhook, and when the next one is due. Messages that another process
-- claims at this moment are skipped. $1 now (unix seconds), $2 seconds from each attempt to the next, $3 not of these accounts
WITH due AS (
  SELECT m.id FROM alert_messages m JOIN alert_rules r ON r.id = m.rule_id
  WHERE m.webhook = 'waiting' AND m.next_try_at <= to_timestamp($1) AND r.account_id <> ALL ($3::int[])
  ORDER BY m.next_try_at LIMIT 1 FOR UPDATE OF m SKIP LOCKED
)
UPDATE alert_messages m SET
  attempts = m.attempts + 1,
  next_try_at = to_timestamp($1) + make_interval(secs => ($2::int[])[least(m.attempts + 1, cardinality($2::int[]))])
FROM due, alert_rules r
WHERE m.id = due.id AND r.id = m.rule_id
RETURNING
  m.id, m.rule_id, r.name, r.source, m.slot, m.entries, m.attempts, r.account_id,
  CASE WHEN r.webhook_gone_at IS NULL THEN r.webhook_url END AS webhook_url, r.webhook_secret_sealed
