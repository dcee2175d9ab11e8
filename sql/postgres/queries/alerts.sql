-- name: begin_test
-- Records that an account tests a delivery. No row: it did so less than 10 seconds ago. $1 account
INSERT INTO alert_accounts (account_id, tested_at) VALUES ($1, rackrate_now())
ON CONFLICT (account_id) DO UPDATE SET tested_at = rackrate_now()
WHERE alert_accounts.tested_at IS NULL OR alert_accounts.tested_at < rackrate_now() - interval '10 seconds'
RETURNING account_id

-- name: change
-- Changes a rule of an account. With another condition or market its state is reset. The receiver of its webhook is called again,
-- also after 410. $1 account, $2 person, $3 key, $4 name, $5 condition (JSON), $6 mail, $7 URL of the webhook, $8 its secret
-- (sealed; null: unchanged), $9 the source of its market; null: the first one, $10 rule
UPDATE alert_rules SET
  created_by = $2, key_id = $3, name = $4, email = $6, webhook_url = $7, webhook_gone_at = NULL, version = version + 1,
  webhook_secret_sealed = CASE WHEN $7::text IS NOT NULL THEN coalesce($8, webhook_secret_sealed) END,
  state = CASE WHEN condition = $5::jsonb AND source IS NOT DISTINCT FROM $9 THEN state ELSE '{}' END,
  condition = $5::jsonb, source = $9
WHERE account_id = $1 AND id = $10

-- name: claim
-- Records an attempt to deliver the message that has waited longest for its webhook, and the time of the next attempt. Messages
-- that another process claims at this moment are skipped. $1 now (unix seconds), $2 seconds from each attempt to the next, $3
-- accounts to skip
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

-- name: create
-- Creates a rule. $1 account, $2 person, $3 key, $4 name, $5 condition (JSON), $6 mail, $7 URL of the webhook, $8 its secret
-- (sealed), $9 the source of its market; null: the first one
INSERT INTO alert_rules (account_id, created_by, key_id, name, condition, email, webhook_url, webhook_secret_sealed, source)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
RETURNING id

-- name: find_feed
-- The account whose feed has an address, while the key that made it may read a market. $1 hash of the address
SELECT f.account_id
FROM alert_accounts f
JOIN market_keys k ON k.key_id = f.key_id AND k.ended IS NULL AND (k.sees_all OR cardinality(k.claimed) > 0)
WHERE f.feed_hash = $1

-- name: gone
-- Disables the webhook of a rule whose receiver answered 410. $1 rule, $2 the URL that answered
WITH gone AS (
  UPDATE alert_rules SET webhook_gone_at = rackrate_now() WHERE id = $1 AND webhook_url = $2 AND webhook_gone_at IS NULL RETURNING id
)
UPDATE alert_messages SET webhook = 'failed' WHERE rule_id IN (SELECT id FROM gone) AND webhook = 'waiting'

-- name: hook
-- The destinations of a rule's messages. $1 account, $2 rule
SELECT name, source, email, webhook_url, webhook_secret_sealed FROM alert_rules WHERE account_id = $1 AND id = $2

-- name: in_force
-- The rules on one market that are evaluated at a slot of the market or of the clock. `recipient`: the person who receives mail.
-- $1 market or clock, $2 the source of the market; null: the first one
SELECT
  r.id, r.source, r.account_id, r.created_by, r.version, r.name, r.condition, r.state,
  extract(epoch FROM r.silenced_until)::float8 AS silenced_until,
  CASE WHEN r.email AND p.email_verified THEN p.email END AS recipient,
  r.webhook_url IS NOT NULL AND r.webhook_gone_at IS NULL AS has_webhook
FROM alert_rules r
JOIN market_keys k ON k.key_id = r.key_id
JOIN accounts p ON p.id = r.created_by
WHERE (r.condition->>'kind' = 'data_age') = ($1 = 'clock') AND r.source IS NOT DISTINCT FROM $2
  AND market_refusal(r.source, k.refusal, k.ended, k.sees_all, k.claimed) IS NULL

-- name: list
-- The rules of an account in the order they were created. $1 account, $2 only this rule (or null)
SELECT
  r.id, r.name, r.source, r.condition, r.email, r.webhook_url, r.webhook_gone_at IS NOT NULL AS webhook_gone, r.state,
  CASE WHEN r.silenced_until > rackrate_now() THEN extract(epoch FROM r.silenced_until)::float8 END AS silenced_until,
  CASE WHEN k.key_id IS NULL THEN 'The API key that wrote it has ended' ELSE market_refusal(r.source, k.refusal, k.ended, k.sees_all, k.claimed) END AS stop_reason,
  extract(epoch FROM r.created_at)::float8 AS created_at
FROM alert_rules r LEFT JOIN market_keys k ON k.key_id = r.key_id
WHERE r.account_id = $1 AND r.id = coalesce($2, r.id)
ORDER BY r.id

-- name: mail
-- Puts mail into the outbox, for each person at most 100 in 24 hours. Each expires after a day. $1 persons, $2 their addresses,
-- $3 subject and text of each (sealed)
INSERT INTO outbox (channel, recipient, sealed, expires_at, kind, sender_id)
SELECT 'email', w.recipient, w.sealed, rackrate_now() + interval '1 day', 'alert', w.person
FROM unnest($1::int[], $2::text[], $3::bytea[]) AS w(person, recipient, sealed)
WHERE (
  SELECT count(*) FROM outbox o WHERE o.kind = 'alert' AND o.sender_id = w.person AND o.created_at > rackrate_now() - interval '1 day'
) < 100

-- name: messages
-- The newest messages of an account's rules, newest first. $1 account, $2 only of this rule (or null), $3 the most messages, $4
-- only messages listed after this one (or null)
SELECT m.id, m.rule_id, r.name, r.source, m.slot, m.entries, m.webhook, m.attempts, m.webhook_status
FROM alert_messages m JOIN alert_rules r ON r.id = m.rule_id
WHERE r.account_id = $1 AND m.rule_id = coalesce($2, m.rule_id)
  AND ($4::uuid IS NULL OR (-m.slot, m.rule_id) > (SELECT -slot, rule_id FROM alert_messages WHERE id = $4))
ORDER BY m.slot DESC, m.rule_id
LIMIT $3

-- name: next_slot
-- The slot of a market at which rules are evaluated next. No row: there is none. Slots more than a day older than the newest are
-- skipped, since their news is outdated. The first evaluation is at the newest slot. $1 the slot of the last evaluation; 0: none
SELECT n.slot FROM snapshots n
WHERE n.loaded_at IS NOT NULL AND n.slot > $1
  AND n.slot >= (
    SELECT max(m.slot) - CASE WHEN $1 = 0 THEN 0 ELSE 86400 END FROM snapshots m WHERE m.loaded_at IS NOT NULL
  )
ORDER BY n.slot
LIMIT 1

-- name: open_feed
-- Gives the feed of an account a new address. $1 account, $2 hash of the address, or null: none, $3 key
INSERT INTO alert_accounts (account_id, feed_hash, key_id) VALUES ($1, $2, $3)
ON CONFLICT (account_id) DO UPDATE SET feed_hash = excluded.feed_hash, key_id = excluded.key_id

-- name: owned
-- The ids of the machines of some accounts. $1 accounts
SELECT account_id, array_agg(id ORDER BY id) AS ids FROM machines WHERE account_id = ANY ($1) AND removed_at IS NULL GROUP BY account_id

-- name: remember
-- Stores the states of rules, unless the rules were changed since they were read. $1 rules, $2 their versions, $3 their states
-- (JSON)
UPDATE alert_rules r SET state = w.state::jsonb
FROM unnest($1::int[], $2::int[], $3::text[]) AS w(id, version, state)
WHERE r.id = w.id AND r.version = w.version

-- name: say
-- Writes the messages of rules at a slot. $1 slot, $2 rules, $3 their entries (JSON), $4 whether each has a webhook
INSERT INTO alert_messages (slot, rule_id, entries, webhook)
SELECT $1, w.rule_id, w.entries::jsonb, CASE WHEN w.has_webhook THEN 'waiting' END
FROM unnest($2::int[], $3::text[], $4::boolean[]) AS w(rule_id, entries, has_webhook)

-- name: silence
-- Silences a rule of an account until a time, or ends its silence. $1 account, $2 rule, $3 until (unix seconds or null)
UPDATE alert_rules SET silenced_until = to_timestamp($3), version = version + 1 WHERE account_id = $1 AND id = $2
