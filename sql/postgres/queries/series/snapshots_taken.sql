-- Every snapshot, oldest first. `is_spooled`: it can be loaded again
SELECT
  slot, source, observations, loaded_at IS NOT NULL AS is_loaded,
  observations = 0 OR EXISTS (SELECT FROM spool WHERE spool.slot = snapshots.slot) AS is_spooled
FROM snapshots
ORDER BY slot
