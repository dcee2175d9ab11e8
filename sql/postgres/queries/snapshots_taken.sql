-- Every snapshot, oldest first. `spooled`: its rows are here, or it has none
SELECT slot, observations = 0 OR EXISTS (SELECT FROM spool WHERE spool.slot = snapshots.slot) AS spooled
FROM snapshots
ORDER BY slot
