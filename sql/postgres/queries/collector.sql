-- name: ask
-- Notes that the source is asked for a slot now, and returns what is known of its last good slot. No row: it is not to be asked, because it was
-- asked for this slot, is to be left alone, or is not the source of this site any more. When a process ended during its request, another one
-- asks again. $1 slot, $2 the name of the source, $3 seconds that a request may take, $4 whether to ask in any case
UPDATE collector
SET asked_slot = $1, asked_at = rackrate_now(), answered = false
WHERE source = $2
  AND ($4 OR asked_slot IS DISTINCT FROM $1 OR NOT answered AND asked_at < rackrate_now() - make_interval(secs => $3))
  -- At most a day: what is further away was written by a clock that was wrong.
  AND ($4 OR ask_after NOT BETWEEN $1 + 1 AND $1 + 90000)
  AND NOT EXISTS (SELECT FROM snapshots WHERE slot = $1)
RETURNING
  good_slot, machines,
  CASE WHEN EXISTS (SELECT FROM spool WHERE slot = good_slot) THEN validators END AS validators

-- name: fail
-- Notes that a request gave no market. After the second one in a row slots are left out: 1, 3, 7, … up to an hour.
-- $1 slot, $2 why, $3 when the source wants to be asked again at the earliest (unix seconds; 0: it says nothing), $4 seconds between slots
UPDATE collector
SET
  answered = true, failures = failures + 1, problem = $2,
  ask_after = greatest($3::bigint, $1::bigint + least(greatest($4::int, 3600), $4 * 2 ^ least(failures, 10))::bigint)
WHERE asked_slot = $1

-- name: register
-- Makes a source that of this site, unless the site has one, or records a marketplace of its own. $1 the name of the source; $2 whether it takes
-- the place of another one
INSERT INTO collector (source)
SELECT $1::text
WHERE NOT EXISTS (SELECT FROM simulation)
  AND ($2 OR NOT EXISTS (SELECT FROM machines) AND NOT EXISTS (SELECT FROM snapshots WHERE observations > 0))
ON CONFLICT (one) DO UPDATE SET source = $1, validators = NULL, ask_after = 0 WHERE $2 AND collector.source <> $1

-- name: release
-- Notes that a request ended without a result because its process stops: the slot may be asked for again. $1 slot
UPDATE collector SET asked_slot = NULL, answered = true WHERE asked_slot = $1 AND NOT answered

-- name: repeat
-- Takes the snapshot of a slot at which the market was as in an earlier one, whose lines it copies. No row comes back when the slot was taken,
-- or the earlier one has left the spool. $1 slot, $2 the earlier slot
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
-- Takes the snapshot of a slot from a source: all of it goes to the ledger and to the spool in one statement. A slot that is in the ledger
-- already is left alone (no row comes back). $1 slot, $2 the spool's parts: text array, $3 observations, $4 machines, $5 validators of the answer
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
  SET answered = true, ask_after = 0, failures = 0, problem = NULL, good_slot = taken.slot, machines = $4, validators = $5::jsonb
  FROM taken
)
SELECT slot, observations FROM taken
