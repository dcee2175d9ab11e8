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
