-- Makes the ledger say what ClickHouse shows, takes up loading for the rest, and leaves behind every revision that was ever given out (also the
-- present second: caches may hold answers of a time that is lost). $1 what it shows: JSON array of {slot, source, observations};
-- $2 slots to load again; $3 slots that are lost; $4 the newest revision of ClickHouse
WITH shown AS MATERIALIZED (
  SELECT * FROM jsonb_to_recordset($1::jsonb) AS s(slot bigint, source text, observations integer)
),
adopted AS (
  INSERT INTO snapshots (slot, source, observations, loaded_at)
  -- What is older was never a snapshot: the simulated market's history.
  SELECT slot, source, observations, now() FROM shown WHERE slot > (SELECT min(slot) FROM snapshots)
  ON CONFLICT DO NOTHING
  RETURNING slot
),
loaded AS (
  UPDATE snapshots SET loaded_at = now(), observations = shown.observations
  FROM shown
  WHERE shown.slot = snapshots.slot AND snapshots.loaded_at IS NULL
),
reopened AS (
  UPDATE snapshots SET loaded_at = NULL, load_token = gen_random_uuid() WHERE slot = ANY ($2::bigint[])
),
forgotten AS (
  DELETE FROM snapshots WHERE slot = ANY ($3::bigint[])
),
filled_again AS (
  -- What of the simulated market's history is there is found and left alone.
  UPDATE simulation SET filled_from = anchor_slot
)
SELECT
  (SELECT count(*) FROM adopted)::int AS adopted,
  setval('revisions', greatest(nextval('revisions'), $4::bigint, extract(epoch FROM now())::bigint)) AS revision
