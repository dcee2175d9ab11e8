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
