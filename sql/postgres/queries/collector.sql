-- name: ask
-- Records a request to the source for a slot, and returns the data of the last good slot. No row: no request must be made,
-- because the slot was requested already, the source accepts only later requests, or it is no longer the source of this site. If
-- a process died during its request, another one repeats it. $1 slot, $2 the name of the source, $3 seconds that a request may
-- take, $4 true to request in any case
UPDATE collector
SET asked_slot = $1, asked_at = rackrate_now(), answered = false
WHERE source = $2
  AND ($4 OR asked_slot IS DISTINCT FROM $1 OR NOT answered AND asked_at < rackrate_now() - make_interval(secs => $3))
  -- At most a day: a later time was written by a wrong clock.
  AND ($4 OR ask_after NOT BETWEEN $1 + 1 AND $1 + 90000)
  AND NOT EXISTS (SELECT FROM snapshots WHERE slot = $1)
RETURNING
  good_slot, machines, turnover,
  CASE WHEN EXISTS (SELECT FROM spool WHERE slot = good_slot) THEN validators END AS validators

-- name: fail
-- Records a request without a market. After the second one in a row slots are skipped: 1, 3, 7, … up to an hour. $1 slot, $2 the
-- reason, $3 the earliest next request that the source accepts (unix seconds; 0: not reported), $4 seconds between slots
UPDATE collector
SET
  answered = true, failures = failures + 1, problem = $2,
  ask_after = greatest($3::bigint, $1::bigint + least(greatest($4::int, 3600), $4 * 2 ^ least(failures, 10))::bigint)
WHERE asked_slot = $1

-- name: register
-- Sets the source of this site, unless the site has one, or records a marketplace of its own. $1 the name of the source; $2 true
-- to replace another one
INSERT INTO collector (source)
SELECT $1::text
WHERE NOT EXISTS (SELECT FROM simulation)
  AND ($2 OR NOT EXISTS (SELECT FROM machines) AND NOT EXISTS (SELECT FROM snapshots WHERE observations > 0))
ON CONFLICT (one) DO UPDATE SET source = $1, validators = NULL, ask_after = 0 WHERE $2 AND collector.source <> $1

-- name: release
-- Records that a request ended without a result because its process stops: the slot may be requested again. $1 slot
UPDATE collector SET asked_slot = NULL, answered = true WHERE asked_slot = $1 AND NOT answered

-- name: repeat
-- Takes the snapshot of a slot whose market equals an earlier one, by copying its lines. No row: the slot was taken already, or
-- the earlier one has left the spool. $1 slot, $2 the earlier slot
WITH taken AS (
  INSERT INTO snapshots (slot, source, observations)
  SELECT $1::bigint, source, observations FROM snapshots WHERE slot = $2 AND EXISTS (SELECT FROM spool WHERE slot = $2)
  ON CONFLICT DO NOTHING
  RETURNING slot, observations
),
spooled AS (
  -- A line begins with its slot.
  INSERT INTO spool (slot, part, rows)
  SELECT taken.slot, part, regexp_replace(rows, '^\[\d+', '[' || taken.slot, 'gn') FROM taken, spool WHERE spool.slot = $2
),
noted AS (
  UPDATE collector SET answered = true, ask_after = 0, failures = 0, problem = NULL, good_slot = taken.slot FROM taken
)
SELECT slot, observations FROM taken

-- name: take
-- Takes the snapshot of a slot from a source: all of it goes to the ledger and to the spool in one statement. No row: the slot is
-- in the ledger already. $1 slot, $2 the spool's parts: text array, $3 observations, $4 machines, $5 validators of the answer,
-- $6 JSON: what was left out, {reasons: {reason: count}, rows: [{place, reason}]}
WITH taken AS (
  INSERT INTO snapshots (slot, source, observations) VALUES ($1, 'market', $3)
  ON CONFLICT DO NOTHING
  RETURNING slot, observations
),
spooled AS (
  INSERT INTO spool (slot, part, rows)
  SELECT taken.slot, part - 1, rows FROM taken, unnest($2::text[]) WITH ORDINALITY AS parts (rows, part)
),
noted AS (
  UPDATE collector
  SET answered = true, ask_after = 0, failures = 0, problem = NULL, good_slot = taken.slot, machines = $4, validators = $5::jsonb,
    left_out = $6::jsonb
  FROM taken
)
SELECT slot, observations FROM taken

-- name: shared
-- Counts the machines of a spooled slot, and how many of them are among others. $1 slot, $2 ids of the others
SELECT count(*)::int AS before, count(*) FILTER (WHERE id = ANY ($2))::int AS shared
FROM (
  -- A line begins with its slot and the id of its machine.
  SELECT DISTINCT split_part(line, ',', 2)::bigint AS id
  FROM spool, regexp_split_to_table(rows, '\n') AS line
  WHERE slot = $1
) AS machines

-- name: newest_lines
-- The lines of some machines in the newest good slot, from the spool. $1 ids
SELECT line
FROM collector JOIN spool ON slot = good_slot, regexp_split_to_table(rows, '\n') AS line
WHERE split_part(line, ',', 2)::bigint = ANY ($1)

-- name: note_turnover
-- Stores the usual share of machines that a slot replaces. $1 the slot that was taken, $2 the share
UPDATE collector SET turnover = $2 WHERE good_slot = $1
