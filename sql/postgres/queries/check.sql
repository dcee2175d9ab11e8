-- name: snapshots
-- The snapshots of [$1, $2), oldest first. `is_spooled`: it can be loaded again
SELECT
  slot, source, loaded_at IS NOT NULL AS is_loaded,
  observations = 0 OR EXISTS (SELECT FROM spool WHERE spool.slot = snapshots.slot) AS is_spooled
FROM snapshots
WHERE slot >= $1 AND slot < $2
ORDER BY slot
