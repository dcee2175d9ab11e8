-- The oldest snapshot that ClickHouse does not have yet, with the number of its parts.
SELECT s.slot, s.source, s.observations, (SELECT count(*) FROM spool p WHERE p.slot = s.slot) AS parts
FROM snapshots s
WHERE s.loaded_at IS NULL
ORDER BY s.slot
LIMIT 1
