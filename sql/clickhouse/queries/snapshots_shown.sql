-- The snapshots that readers see.
SELECT toUnixTimestamp(slot) AS slot, source, observations
FROM slots FINAL
WHERE ready AND source IN ('market', 'simulated')
ORDER BY slot
LIMIT 1 BY slot
