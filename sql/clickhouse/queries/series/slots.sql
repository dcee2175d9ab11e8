-- The slots of the series that readers may see, in order. No parameters.
SELECT DISTINCT toUnixTimestamp(slot) AS slot FROM slots WHERE ready ORDER BY slot
