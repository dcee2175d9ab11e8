-- name: account
-- Hosts and admins with an id or an e-mail address; all of them without one. $1 id or address; null: any
SELECT id, name, is_host
FROM accounts
WHERE (is_host OR is_admin) AND ($1::text IS NULL OR id::text = $1 OR lower(email) = lower($1))
ORDER BY id

-- name: due_earnings
-- The machines of a key whose earnings are due to be read, oldest reading first. $1 the key's id, $2 the most machines
SELECT machine_id::float8 AS id FROM claim_machines
WHERE key_id = $1 AND is_shown AND (earned_ask_after <= rackrate_now() OR earned_ask_after > rackrate_now() + interval '25 hours')
ORDER BY earned_ask_after, machine_id LIMIT $2

-- name: due_keys
-- Claims the keys that are due: other processes skip them for the duration of a request. $1 seconds that it may take
UPDATE claim_keys SET ask_after = rackrate_now() + make_interval(secs => $1)
WHERE id IN (
  SELECT id FROM claim_keys
  -- At most a day: a later time was written by a wrong clock.
  WHERE ask_after <= rackrate_now() OR ask_after > rackrate_now() + interval '25 hours'
  ORDER BY ask_after LIMIT 50 FOR UPDATE SKIP LOCKED
)
RETURNING id, account_id, source, key_sealed, place

-- name: earned
-- The marketplace's data on some machines of an account, read with the account's key. Days count back from a machine's last known
-- one. $1 account, $2 source, $3 machines
SELECT
  m.machine_id::float8 AS id,
  json_build_object(
    'read_at', floor(extract(epoch FROM m.read_at))::bigint, 'listed', m.listed, 'price', m.price, 'min_bid', m.min_bid, 'occupancy', m.occupancy,
    'rented', CASE WHEN m.occupancy IS NOT NULL THEN json_build_object(
      'on_demand', regexp_count(m.occupancy, 'D'), 'reserved', regexp_count(m.occupancy, 'R'), 'interruptible', regexp_count(m.occupancy, 'I'),
      'free', regexp_count(m.occupancy, '[x-]'), 'other', regexp_count(m.occupancy, '[^DRIx[:space:]-]')
    ) END,
    'rented_until', m.rented_until, 'earn_hour', m.earn_hour,
    'earned', CASE WHEN m.earned_to IS NOT NULL THEN json_build_object(
      'until', (m.earned_to + 1) * 86400::bigint, 'read_at', floor(extract(epoch FROM m.earned_read_at))::bigint,
      'usd', json_build_object('1d', e.usd_1d, '7d', e.usd_7d, '30d', e.usd_30d),
      'days', json_build_object('1d', least(d.known, 1), '7d', least(d.known, 7), '30d', least(d.known, 30))
    ) END
  ) AS marketplace
FROM claim_keys k JOIN claim_machines m ON m.key_id = k.id,
LATERAL (SELECT m.earned_to - m.earned_from + 1 AS known) d,
LATERAL (
  SELECT
    coalesce(sum(usd) FILTER (WHERE age < 1), 0) AS usd_1d, coalesce(sum(usd) FILTER (WHERE age < 7), 0) AS usd_7d,
    coalesce(sum(usd) FILTER (WHERE age < 30), 0) AS usd_30d
  FROM (
    SELECT gpu + storage + traffic AS usd, m.earned_to - day AS age FROM claim_earnings
    WHERE key_id = k.id AND machine_id = m.machine_id AND day BETWEEN greatest(m.earned_from, m.earned_to - 29) AND m.earned_to
  ) x
) e
WHERE k.account_id = $1 AND k.source = $2 AND m.machine_id = ANY ($3)

-- name: key_of_machine
-- An accepted key of a claim that shows a machine. $1 account, $2 machine, $3 source (NULL: the first one)
SELECT k.id, k.account_id, k.source, k.key_sealed, k.place
FROM claim_keys k
JOIN sources s ON s.name = k.source
JOIN claim_machines m ON m.key_id = k.id
WHERE k.account_id = $1 AND m.machine_id = $2 AND m.is_shown AND NOT k.is_refused
  AND CASE WHEN $3::text IS NULL THEN s.is_first ELSE s.name = $3 END

-- name: list
-- The claims of an account, the first source's claim first; `shown`: the machines that its key shows. $1 account
SELECT
  c.source, to_json(c.hosts) AS hosts, to_json(c.machines) AS machines,
  ARRAY (SELECT m.machine_id::float8 FROM claim_machines m WHERE m.key_id = k.id AND m.is_shown ORDER BY 1) AS shown,
  CASE WHEN k.id IS NOT NULL THEN json_build_object(
    'proven_at', floor(extract(epoch FROM k.read_at))::bigint, 'refused', k.is_refused, 'can_do_more', k.can_do_more, 'problem', coalesce(k.problem, k.earnings_problem)
  ) END AS proof
FROM claims c JOIN sources s ON s.name = c.source
LEFT JOIN claim_keys k ON k.account_id = c.account_id AND k.source = c.source
WHERE c.account_id = $1
ORDER BY NOT s.is_first, s.name

-- name: note_earnings_failure
-- Records why the earnings of a machine could not be read. They are requested again after 10 minutes. $1 the key's id, $2
-- machine, $3 the reason, $4 the earliest next request (unix seconds; 0: not reported)
WITH later AS (
  UPDATE claim_machines SET earned_ask_after = greatest(to_timestamp($4), rackrate_now() + interval '10 minutes')
  WHERE key_id = $1 AND machine_id = $2
)
UPDATE claim_keys SET earnings_problem = $3 WHERE id = $1

-- name: note_failure
-- Records why a key showed no machines. It is retried after an interval, then two, four, and every hour. $1 id, $2 the sealed
-- key, $3 the reason, $4 true if the key is refused, which lasts until the key is set again, $5 seconds between slots, $6 the
-- earliest next request (unix seconds; 0: not reported)
UPDATE claim_keys
SET
  failures = failures + 1, is_refused = is_refused OR $4, problem = $3,
  ask_after = greatest(to_timestamp($6), rackrate_now() + least(interval '1 hour', make_interval(secs => $5) * 2 ^ least(failures, 6)))
WHERE id = $1 AND key_sealed = $2

-- name: note_read
-- Records that a key showed its machines. No row: the key was replaced meanwhile. $1 id, $2 the sealed key, $3 seconds until it
-- is used again
UPDATE claim_keys
SET read_at = rackrate_now(), failures = 0, is_refused = false, problem = NULL, ask_after = rackrate_now() + make_interval(secs => $3)
WHERE id = $1 AND key_sealed = $2
RETURNING id

-- name: of_market
-- The source of a market, and the claims of some accounts in it, with the machines that their keys show; null: none has a claim.
-- No row: the market is the site's own. $1 the name of the source; null: the first, $2 accounts
SELECT
  s.name AS source, c.account_id, to_json(c.hosts) AS hosts, to_json(c.machines) AS machines,
  ARRAY (
    SELECT m.machine_id::float8 FROM claim_keys k JOIN claim_machines m ON m.key_id = k.id AND m.is_shown
    WHERE k.account_id = c.account_id AND k.source = c.source
  ) AS shown
FROM sources s LEFT JOIN claims c ON c.source = s.name AND c.account_id = ANY ($2)
WHERE CASE WHEN $1::text IS NULL THEN s.is_first ELSE s.name = $1 END

-- name: note_shares
-- Records the host's price ÷ the renters' price of machines that a key shows. A new share is stored when two readings have it, and the host's price has been
-- the same for two hours: the renters' price may be seen later. The first one is stored at once. $1 the key's id, $2 machines, $3 what renters pay for them,
-- USD per GPU-hour
WITH seen AS (
  SELECT m.machine_id, m.price_since, m.ratio AS before, round(m.price / p.price, 4) AS ratio, newest.share
  FROM unnest($2::bigint[], $3::numeric[]) AS p (machine_id, price)
  JOIN claim_machines m ON m.key_id = $1 AND m.machine_id = p.machine_id AND m.is_shown AND m.listed IS NOT FALSE
  LEFT JOIN LATERAL (
    SELECT share FROM claim_shares s WHERE s.key_id = $1 AND s.machine_id = m.machine_id ORDER BY since DESC LIMIT 1
  ) newest ON true
  -- A ratio outside is of prices of different times, or of different things.
  WHERE p.price > 0 AND round(m.price / p.price, 4) BETWEEN 0.4 AND 1
),
noted AS (
  UPDATE claim_machines m SET ratio = seen.ratio FROM seen WHERE m.key_id = $1 AND m.machine_id = seen.machine_id
)
INSERT INTO claim_shares (key_id, machine_id, since, share)
SELECT $1, machine_id, floor(extract(epoch FROM rackrate_now())), ratio FROM seen
WHERE share IS NULL
  OR abs(ratio - share) > 0.002 AND abs(ratio - before) <= 0.002
  AND coalesce(price_since, '-infinity') <= rackrate_now() - interval '2 hours'
ON CONFLICT DO NOTHING

-- name: shares
-- The host's share of what renters pay for machines of an account in the market of a source: derived with the key from the machine, otherwise from the
-- account's machine whose share is newest, otherwise assumed from the entered fee. `listed`: the price that the host asks. No row: the share is not known, or the
-- market is the site's own. $1 account, $2 source (NULL: the first one), $3 machines
WITH market AS (SELECT name FROM sources WHERE CASE WHEN $2::text IS NULL THEN is_first ELSE name = $2 END),
derived AS (
  SELECT DISTINCT ON (m.machine_id) m.machine_id, s.share, s.since, m.price
  FROM market
  JOIN claim_keys k ON k.source = market.name AND k.account_id = $1
  JOIN claim_machines m ON m.key_id = k.id
  JOIN claim_shares s ON s.key_id = k.id AND s.machine_id = m.machine_id
  ORDER BY m.machine_id, s.since DESC
),
usual AS (SELECT share, since FROM derived ORDER BY since DESC, machine_id LIMIT 1),
known AS (
  SELECT
    own.id, d.price AS listed, coalesce(d.share, u.share) AS derived, coalesce(d.since, u.since) AS since,
    1 - coalesce(one.fee_percent, every.fee_percent) / 100 AS assumed
  FROM market
  CROSS JOIN unnest($3::bigint[]) AS own (id)
  LEFT JOIN derived d ON d.machine_id = own.id
  LEFT JOIN usual u ON true
  LEFT JOIN source_costs one ON one.account_id = $1 AND one.source = market.name AND one.machine_id = own.id
  LEFT JOIN source_costs every ON every.account_id = $1 AND every.source = market.name AND every.machine_id IS NULL
)
SELECT
  id::float8, listed::float8,
  json_build_object(
    'share', coalesce(derived, assumed)::float8, 'basis', CASE WHEN derived IS NULL THEN 'fee' ELSE 'key' END, 'since', since
  ) AS host_share
FROM known WHERE coalesce(derived, assumed) IS NOT NULL

-- name: write
-- Replaces the claim of an account in a source. $1 account, $2 source, $3 hosts, $4 machines
INSERT INTO claims (account_id, source, hosts, machines) VALUES ($1, $2, $3, $4)
ON CONFLICT (account_id, source) DO UPDATE SET hosts = excluded.hosts, machines = excluded.machines

-- name: write_earnings
-- Records the earnings of a machine on each of some complete days; a day without a row earned nothing. $1 the key's id, $2
-- machine, $3 the first day, $4 the last day, $5 rows with `day`, `gpu`, `storage`, `traffic`, JSON
WITH given AS (
  SELECT day, sum(gpu) AS gpu, sum(storage) AS storage, sum(traffic) AS traffic
  FROM json_to_recordset($5::json) AS e (day integer, gpu numeric, storage numeric, traffic numeric)
  GROUP BY day
),
gone AS (
  DELETE FROM claim_earnings
  WHERE key_id = $1 AND machine_id = $2 AND day BETWEEN $3 AND $4 AND day NOT IN (SELECT day FROM given)
),
noted AS (
  UPDATE claim_machines
  SET
    -- If the machine was not read for longer than an answer reaches back, the days in between are missing. So the range begins
    -- anew.
    earned_from = CASE WHEN earned_to >= $3 - 1 THEN least(earned_from, $3) ELSE $3 END,
    earned_to = $4, earned_read_at = rackrate_now(), earned_ask_after = rackrate_now() + interval '1 hour'
  WHERE key_id = $1 AND machine_id = $2
),
cleared AS (UPDATE claim_keys SET earnings_problem = NULL WHERE id = $1 AND earnings_problem IS NOT NULL)
INSERT INTO claim_earnings (key_id, machine_id, day, gpu, storage, traffic)
SELECT $1, $2, day, gpu, storage, traffic FROM given
ON CONFLICT (key_id, machine_id, day) DO UPDATE
SET gpu = excluded.gpu, storage = excluded.storage, traffic = excluded.traffic

-- name: rentals
-- Machines of an account with a running rental, as the marketplace shows them to the account's key, and when their last contract ends (unix seconds; NULL:
-- not shown). A letter that is not known counts as a rental. $1 account, $2 source; NULL: the first, $3 machines
SELECT m.machine_id::float8 AS id, m.rented_until AS until
FROM claim_keys k
JOIN sources s ON s.name = k.source
JOIN claim_machines m ON m.key_id = k.id
WHERE k.account_id = $1 AND CASE WHEN $2::text IS NULL THEN s.is_first ELSE s.name = $2 END
  AND m.machine_id = ANY ($3) AND m.is_shown AND (m.running > 0 OR m.occupancy ~ '[^x[:space:]-]')

-- name: write_key
-- Adds to a claim a key that the marketplace has just accepted. $1 account, $2 source, $3 the sealed key, $4 kind and address of
-- the source, $5 true if it can do more than read
INSERT INTO claim_keys (account_id, source, key_sealed, place, can_do_more) VALUES ($1, $2, $3, $4, $5)
ON CONFLICT (account_id, source) DO UPDATE
SET
  key_sealed = excluded.key_sealed, place = excluded.place, can_do_more = excluded.can_do_more, read_at = rackrate_now(), ask_after = rackrate_now(),
  failures = 0, is_refused = false, problem = NULL, earnings_problem = NULL
RETURNING id

-- name: write_machines
-- Records the machines that a key shows, and deletes all others. $1 the key's id, $2 the machines, JSON
WITH given AS (
  SELECT * FROM json_to_recordset($2::json) AS m (
    id bigint, host_id bigint, listed boolean, listed_gpu_cost numeric, min_bid_price numeric, gpu_occupancy text, client_end_date numeric,
    current_rentals_running int, earn_hour numeric
  )
),
gone AS (
  UPDATE claim_machines SET is_shown = false
  WHERE key_id = $1 AND is_shown AND machine_id NOT IN (SELECT id FROM given)
)
INSERT INTO claim_machines (
  key_id, machine_id, is_shown, read_at, host_id, listed, price, min_bid, occupancy, rented_until, running, earn_hour
)
SELECT DISTINCT ON (id)
  $1, id, true, rackrate_now(), host_id, listed, listed_gpu_cost, min_bid_price, gpu_occupancy,
  CASE WHEN client_end_date BETWEEN extract(epoch FROM rackrate_now()) AND 253402300799 THEN floor(client_end_date)::bigint END,
  current_rentals_running, earn_hour
FROM given
ON CONFLICT (key_id, machine_id) DO UPDATE
SET
  is_shown = true, read_at = excluded.read_at, host_id = excluded.host_id, listed = excluded.listed, price = excluded.price,
  price_since = CASE WHEN excluded.price IS DISTINCT FROM claim_machines.price THEN rackrate_now() ELSE claim_machines.price_since END,
  min_bid = excluded.min_bid, occupancy = excluded.occupancy, rented_until = excluded.rented_until, running = excluded.running,
  earn_hour = excluded.earn_hour
