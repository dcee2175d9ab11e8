-- Enters the newest slot again, as it is, with a new revision. Parameters: revision.
INSERT INTO slots (slot, source, observations, ready, revision)
SELECT slot, source, observations, ready, {revision:UInt64}
FROM slots FINAL
ORDER BY slot DESC, source
LIMIT 1
