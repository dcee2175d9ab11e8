-- name: change
-- Changes a rule of an account. It returns to making suggestions, since its dry run belongs to the rule before. $1 account, $2
-- person, $3 key, $4 source, $5 name, $6 machine, $7 GPU name, $8 target and rails (JSON), $9 URL of the webhook, $10 its secret
-- (sealed; null: unchanged), $11 mail, $12 rule
UPDATE autopilot_rules SET
  created_by = $2, key_id = $3, source = $4, name = $5, machine_id = $6, gpu_name = $7, settings = $8, webhook_url = $9, email = $11,
  webhook_secret_sealed = CASE WHEN $9::text IS NOT NULL THEN coalesce($10, webhook_secret_sealed) END,
  stage = 'suggest', dry_run_since = NULL, stop_reason = NULL, state = '{}', version = version + 1
WHERE account_id = $1 AND id = $12

-- name: claim
-- Claims the pending decision that has waited longest, for some seconds, in which other processes skip it. $1 seconds until the
-- next attempt, $2 only these decisions (or null)
WITH due AS (
  SELECT id FROM autopilot_decisions
  WHERE state IN ('decided', 'called', 'answered') AND next_try_at <= rackrate_now() AND ($2::uuid[] IS NULL OR id = ANY ($2))
  ORDER BY next_try_at LIMIT 1 FOR UPDATE SKIP LOCKED
)
UPDATE autopilot_decisions d SET attempts = d.attempts + 1, next_try_at = rackrate_now() + make_interval(secs => $1)
FROM due, autopilot_decisions o
LEFT JOIN autopilot_rules r ON r.id = o.rule_id
WHERE d.id = due.id AND o.id = d.id
RETURNING
  d.id, d.account_id, d.rule_id, d.source, d.machine_id::float8, d.gpu_name, d.num_gpus, d.kind, d.old_price::float8, d.new_price::float8, d.reason,
  d.adapter, d.state, d.attempts, rackrate_now() > d.expires_at AS is_expired, r.webhook_url, r.webhook_secret_sealed

-- name: create
-- Creates a rule. $1 account, $2 person, $3 key, $4 source; null: the first market, $5 name, $6 machine, $7 GPU name, $8 target
-- and rails (JSON), $9 URL of the webhook, $10 its secret (sealed), $11 mail
INSERT INTO autopilot_rules (
  account_id, created_by, key_id, source, name, machine_id, gpu_name, settings, webhook_url, webhook_secret_sealed, email
)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
RETURNING id

-- name: decisions
-- Decisions, newest first. $1 only of this account (or null), $2 only of this rule (or null), $3 only these (or null), $4 the
-- most decisions, $5 only decisions before this one (or null)
SELECT
  d.id, d.rule_id, d.source, d.machine_id::float8, d.gpu_name, d.kind, d.stage, d.old_price::float8, d.new_price::float8, d.refusal, d.reason, d.figures,
  d.adapter, d.state, d.attempts, d.answer, d.read_price::float8, d.undoes, extract(epoch FROM d.created_at)::float8 AS created_at,
  extract(epoch FROM d.done_at)::float8 AS done_at, d.account_id, a.name AS account
FROM autopilot_decisions d JOIN accounts a ON a.id = d.account_id
WHERE ($1::int IS NULL OR d.account_id = $1) AND ($2::int IS NULL OR d.rule_id = $2) AND ($3::uuid[] IS NULL OR d.id = ANY ($3))
  AND ($5::uuid IS NULL OR d.number < (SELECT number FROM autopilot_decisions WHERE id = $5))
ORDER BY d.number DESC
LIMIT $4

-- name: dry_runs
-- The changes that rules would have made in their dry runs, by machine, in order: the time, the price before and the price after.
-- $1 rules
SELECT
  d.rule_id, d.machine_id::float8 AS id, max(d.num_gpus) AS num_gpus,
  json_agg(
    json_build_object('at', extract(epoch FROM d.created_at)::float8, 'old', d.old_price::float8, 'price', d.new_price::float8)
    ORDER BY d.number
  ) AS steps
FROM autopilot_decisions d JOIN autopilot_rules r ON r.id = d.rule_id
WHERE d.rule_id = ANY ($1) AND d.stage = 'dry_run' AND d.kind = 'change' AND d.created_at >= r.dry_run_since
GROUP BY d.rule_id, d.machine_id
ORDER BY d.rule_id, d.machine_id

-- name: forbidden
-- The reason why the marketplace must not be called for a decision now; NULL: it may be called. $1 decision
SELECT CASE
  WHEN rackrate_now() > d.expires_at THEN 'The data that it was decided from are older than two slots now'
  WHEN s.stopped_at IS NOT NULL THEN 'The account has stopped the autopilot'
  WHEN d.kind = 'change' AND (r.id IS NULL OR r.version <> d.rule_version OR r.stage <> 'live') THEN 'The rule was changed or deleted meanwhile'
  WHEN d.kind = 'change' AND r.stop_reason IS NOT NULL THEN r.stop_reason
  ELSE coalesce(autopilot_refusal(d.key_id, d.source), price_refusal(d.account_id, d.source, d.machine_id))
END AS refusal
FROM autopilot_decisions d
LEFT JOIN autopilot_rules r ON r.id = d.rule_id
LEFT JOIN autopilot_accounts s ON s.account_id = d.account_id
WHERE d.id = $1

-- name: go_on
-- Moves a decision to its next state, if no other process has moved it since. A final state ends the decision. $1 decision, $2
-- attempt, $3 state, $4 the next state, $5 answer (null: unchanged), $6 price that was read
UPDATE autopilot_decisions SET
  state = $4, answer = coalesce($5, answer), read_price = coalesce($6, read_price),
  called_at = CASE WHEN $4 = 'called' THEN coalesce(called_at, rackrate_now()) ELSE called_at END,
  done_at = CASE WHEN $4 IN ('read_back', 'failed') THEN rackrate_now() END
WHERE id = $1 AND attempts = $2 AND state = $3

-- name: in_force
-- The rules on a market that decide at a slot, of one account or of all, the oldest first. `stop_reason`: the reason why it must
-- stop; `recipient`: the person who receives mail. $1 the source of the market; null: the first one, $2 only of this account (or
-- null)
SELECT
  r.id, r.source, r.account_id, r.created_by, r.key_id, r.version, r.name, r.machine_id, r.gpu_name, r.settings, r.stage, r.state,
  r.webhook_url IS NOT NULL AS has_webhook,
  extract(epoch FROM r.dry_run_since)::float8 AS dry_run_since,
  autopilot_refusal(r.key_id, r.source) AS stop_reason,
  CASE WHEN r.email AND p.email_verified THEN p.email END AS recipient
FROM autopilot_rules r
JOIN accounts p ON p.id = r.created_by
LEFT JOIN autopilot_accounts a ON a.account_id = r.account_id
WHERE r.source IS NOT DISTINCT FROM $1 AND r.account_id = coalesce($2, r.account_id) AND r.stop_reason IS NULL
  AND ($2 IS NOT NULL OR a.stopped_at IS NULL)
ORDER BY r.id

-- name: list
-- The rules of an account in the order they were created. $1 account, $2 only this rule (or null), $3 seconds of a dry run before `live`
SELECT
  r.id, r.name, r.source, r.machine_id::float8, r.gpu_name, r.settings, r.webhook_url, r.email, r.stage, r.version,
  extract(epoch FROM r.dry_run_since)::float8 AS dry_run_since,
  extract(epoch FROM r.dry_run_since + make_interval(secs => $3))::float8 AS live_from,
  coalesce(r.stop_reason, autopilot_refusal(r.key_id, r.source)) AS stop_reason,
  extract(epoch FROM r.created_at)::float8 AS created_at
FROM autopilot_rules r
WHERE r.account_id = $1 AND r.id = coalesce($2, r.id)
ORDER BY r.id

-- name: newer
-- One row if a machine was changed after a decision, or is being changed. $1 decision
SELECT FROM autopilot_decisions n JOIN autopilot_decisions d ON d.id = $1
WHERE n.account_id = d.account_id AND n.machine_id = d.machine_id AND n.source IS NOT DISTINCT FROM d.source
  AND n.number > d.number AND n.state NOT IN ('noted', 'failed')

-- name: past
-- The past decisions on machines of an account in a market: the last price of each and its time, and the time of a change within
-- 30 days. If the price could not be read after the change, it has two slots to appear. $1 account, $2 source; null: the first
-- market, $3 seconds between slots
WITH done AS (
  SELECT
    machine_id, number, coalesce(read_price, new_price)::float8 AS price,
    extract(epoch FROM done_at)::float8 + CASE WHEN read_price IS NULL THEN 2 * $3::float8 ELSE 0 END AS at
  FROM autopilot_decisions
  WHERE account_id = $1 AND source IS NOT DISTINCT FROM $2 AND state = 'read_back'
),
newest AS (SELECT DISTINCT ON (machine_id) machine_id, price, at FROM done ORDER BY machine_id, number DESC),
changed AS (
  SELECT machine_id, json_agg(extract(epoch FROM called_at)::float8) AS times, bool_or(state IN ('decided', 'called', 'answered')) AS is_open
  FROM autopilot_decisions
  WHERE account_id = $1 AND source IS NOT DISTINCT FROM $2 AND stage = 'live' AND kind <> 'refusal'
    AND (called_at > rackrate_now() - interval '30 days' OR state = 'decided')
  GROUP BY machine_id
)
SELECT machine_id::float8 AS id, n.price, n.at, c.times, coalesce(c.is_open, false) AS is_open
FROM newest n FULL JOIN changed c USING (machine_id)

-- name: read_listing
-- The price of a machine's listing. $1 account, $2 machine
SELECT l.price::float8 AS price
FROM machines m JOIN gpu_listings l ON l.machine_id = m.id AND l.ended_at IS NULL
WHERE m.id = $2 AND m.account_id = $1 AND m.removed_at IS NULL

-- name: recipient
-- The person who receives mail of a decision. $1 decision
SELECT r.created_by AS person, p.email AS recipient
FROM autopilot_decisions d JOIN autopilot_rules r ON r.id = d.rule_id JOIN accounts p ON p.id = r.created_by
WHERE d.id = $1 AND r.email AND p.email_verified

-- name: remember
-- Stores the state keys of rules, and stops some of them, unless they were changed since they were read. $1 rules, $2 their
-- versions, $3 their states (JSON), $4 the reason for the stop (null: no stop)
UPDATE autopilot_rules r SET state = w.state::jsonb, stop_reason = w.stop_reason
FROM unnest($1::int[], $2::int[], $3::text[], $4::text[]) AS w(id, version, state, stop_reason)
WHERE r.id = w.id AND r.version = w.version

-- name: rights
-- The reason why an account must not set the prices of some machines now; NULL: it may. $1 account, $2 source; NULL: the first
-- market, $3 machines
SELECT id::float8 AS id, price_refusal($1, $2, id) AS refusal FROM unnest($3::bigint[]) AS id

-- name: set_listing
-- Changes the price of a listing of the site's own marketplace, and records it with the decision: both or neither. No row: the
-- decision is no longer being called, or the machine is not listed at the old price by this account. Other terms of the listing
-- stay unchanged. $1 decision, $2 account, $3 machine, $4 old price, $5 new price
WITH on_call AS (SELECT id FROM autopilot_decisions WHERE id = $1 AND state = 'called' FOR UPDATE),
listing AS (
  UPDATE gpu_listings l SET price = $5
  FROM machines m, on_call
  WHERE l.machine_id = m.id AND m.id = $3 AND m.account_id = $2 AND m.removed_at IS NULL AND l.ended_at IS NULL AND l.price = $4
  RETURNING l.id
)
UPDATE autopilot_decisions d SET state = 'answered', answer = 'The listing ' || listing.id || ' was changed'
FROM on_call, listing
WHERE d.id = on_call.id
RETURNING d.answer

-- name: stage
-- Sets the stage of a rule. A dry run continues where it stopped. $1 account, $2 rule, $3 stage, $4 person, $5 key
UPDATE autopilot_rules SET
  stage = $3, created_by = $4, key_id = $5, stop_reason = NULL, state = '{}', version = version + 1,
  dry_run_since = CASE $3 WHEN 'suggest' THEN NULL WHEN 'dry_run' THEN coalesce(dry_run_since, rackrate_now()) ELSE dry_run_since END
WHERE account_id = $1 AND id = $2

-- name: stop
-- Stops or resumes all rules of an account. $1 account, $2 true to stop
INSERT INTO autopilot_accounts (account_id, stopped_at) VALUES ($1, CASE WHEN $2 THEN rackrate_now() END)
ON CONFLICT (account_id) DO UPDATE SET stopped_at = excluded.stopped_at

-- name: write
-- Writes decisions, unless a rule has decided on the machine at this slot, another decision of the account on the machine is
-- pending, or the account must not set its price. $1 decisions (JSON)
INSERT INTO autopilot_decisions (
  account_id, created_by, key_id, rule_id, rule_version, source, machine_id, gpu_name, num_gpus, slot, kind, stage, old_price, new_price, refusal,
  reason, figures, adapter, state, expires_at, undoes
)
SELECT
  d.account_id, d.created_by, d.key_id, d.rule_id, d.rule_version, d.source, d.machine_id, d.gpu_name, d.num_gpus, d.slot, d.kind, d.stage,
  d.old_price, d.new_price, d.refusal, d.reason, d.figures, d.adapter, d.state, to_timestamp(d.expires_at), d.undoes
FROM jsonb_to_recordset($1) AS d(
  account_id integer, created_by integer, key_id integer, rule_id integer, rule_version integer, source text, machine_id bigint, gpu_name text,
  num_gpus integer, slot bigint, kind text, stage text, old_price numeric, new_price numeric, refusal text, reason text, figures jsonb, adapter text,
  state text, expires_at float8, undoes uuid
)
WHERE d.state <> 'decided' OR price_refusal(d.account_id, d.source, d.machine_id) IS NULL
ON CONFLICT DO NOTHING
RETURNING id, machine_id::float8
