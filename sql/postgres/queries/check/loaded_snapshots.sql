-- Snapshots of [$1, $2) that were loaded, oldest first.
SELECT slot FROM snapshots WHERE loaded_at IS NOT NULL AND slot >= $1 AND slot < $2 ORDER BY slot
