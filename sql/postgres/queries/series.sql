-- name: complete_until
-- The time (unix seconds) until which the series is complete: every snapshot before it is loaded, every noted roll-up is done, and five minutes have
-- passed, in which a capture ends. 0 while the history of a simulated market fills in.
SELECT CASE
  WHEN EXISTS (SELECT FROM simulation WHERE filled_from > fill_until) THEN 0
  ELSE least(
    extract(epoch FROM rackrate_now())::bigint - 300,
    (SELECT min(slot) FROM snapshots WHERE loaded_at IS NULL),
    (SELECT min(from_slot) FROM pending_rollups)
  )
END AS until

-- name: note_rentals
-- Records that a source reports which GPUs are rented, or that it does not. $1 the source as the ledger of slots names it, $2 whether they do
WITH gone AS (DELETE FROM price_only_sources WHERE source = $1 AND $2)
INSERT INTO price_only_sources SELECT $1::text WHERE NOT $2 ON CONFLICT DO NOTHING

-- name: newest
-- Progress of PostgreSQL with the series: the newest revision that it gave out, the newest slot that it knows of (the simulated market's
-- history ends at its anchor) and the newest that is marked as loaded. 0: none
SELECT
  (SELECT last_value FROM revisions) AS revision,
  coalesce(greatest((SELECT max(slot) FROM snapshots), (SELECT anchor_slot FROM simulation)), 0) AS slot,
  coalesce((SELECT max(slot) FROM snapshots WHERE loaded_at IS NOT NULL), 0) AS loaded

-- name: next_spooled
-- The oldest snapshot that is not loaded into ClickHouse yet, and the other unloaded snapshots of its hour, each with its number of parts.
SELECT s.slot, s.source, s.observations, (SELECT count(*) FROM spool p WHERE p.slot = s.slot) AS parts
FROM snapshots s
WHERE s.loaded_at IS NULL
  AND s.slot < (SELECT (min(slot) / 3600 + 1) * 3600 FROM snapshots WHERE loaded_at IS NULL)
ORDER BY s.slot

-- name: reconcile
-- Makes the ledger agree with ClickHouse. Moves the sequence of revisions past every revision ever given out, and past the present second: caches may
-- hold answers from the time before a restore. $1 snapshots to adopt: JSON array of {slot, source, found, is_ready}; a snapshot that is not ready
-- remains to be loaded; $2 slots that are loaded, $3 to be loaded again, $4 lost; $5 the newest revision of ClickHouse
WITH adopted AS (
  INSERT INTO snapshots (slot, source, observations, taken_at, loaded_at)
  SELECT slot, source, found, to_timestamp(slot), CASE WHEN is_ready THEN rackrate_now() END
  FROM jsonb_to_recordset($1::jsonb) AS s(slot bigint, source text, found integer, is_ready boolean)
  -- A snapshot that is being captured now stays unchanged.
  ON CONFLICT (slot) DO UPDATE SET observations = excluded.observations WHERE snapshots.loaded_at IS NOT NULL
),
loaded AS (
  UPDATE snapshots SET loaded_at = rackrate_now() WHERE slot = ANY ($2::bigint[]) AND loaded_at IS NULL
),
reopened AS (
  UPDATE snapshots SET loaded_at = NULL WHERE slot = ANY ($3::bigint[])
),
forgotten AS (
  DELETE FROM snapshots WHERE slot = ANY ($4::bigint[])
),
filled_again AS (
  -- Generates the simulated history again from its anchor; slots that exist are skipped.
  UPDATE simulation SET filled_from = anchor_slot
)
SELECT setval('revisions', greatest(nextval('revisions'), $5::bigint, extract(epoch FROM rackrate_now())::bigint))

-- name: snapshots_taken
-- Every snapshot, oldest first. `is_spooled`: it can be loaded again
SELECT
  slot, source, observations, loaded_at IS NOT NULL AS is_loaded,
  observations = 0 OR EXISTS (SELECT FROM spool WHERE spool.slot = snapshots.slot) AS is_spooled
FROM snapshots
ORDER BY slot
