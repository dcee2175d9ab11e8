-- The oldest snapshot that ClickHouse does not have yet, and those of the same hour that wait with it, with the number of their parts.
SELECT s.slot, s.source, s.observations, (SELECT count(*) FROM spool p WHERE p.slot = s.slot) AS parts
FROM snapshots s
WHERE s.loaded_at IS NULL
  AND s.slot < (SELECT (min(slot) / 3600 + 1) * 3600 FROM snapshots WHERE loaded_at IS NULL)
ORDER BY s.slot
