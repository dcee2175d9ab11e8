-- Makes the ledger say what ClickHouse has, and leaves behind every revision that was ever given out (also the present second: caches may
-- hold answers of a time that is lost). $1 snapshots to adopt: JSON array of
-- {slot, source, found, is_ready}, of which those that are not ready remain to be loaded; $2 slots that are loaded, $3 to be loaded
-- again, $4 lost; $5 the newest revision of ClickHouse
WITH adopted AS (
  INSERT INTO snapshots (slot, source, observations, taken_at, loaded_at)
  SELECT slot, source, found, to_timestamp(slot), CASE WHEN is_ready THEN rackrate_now() END
  FROM jsonb_to_recordset($1::jsonb) AS s(slot bigint, source text, found integer, is_ready boolean)
  -- One that is captured at this moment stays as it is captured.
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
  -- What of the simulated market's history is there is found and left alone.
  UPDATE simulation SET filled_from = anchor_slot
)
SELECT setval('revisions', greatest(nextval('revisions'), $5::bigint, extract(epoch FROM rackrate_now())::bigint))
