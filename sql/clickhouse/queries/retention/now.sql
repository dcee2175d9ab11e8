-- For how many days observations are kept; 0: forever.
SELECT max(toUInt32OrZero(extract(create_table_query, 'TTL slot \\+ toIntervalDay\\([^0-9]*(\\d+)'))) AS days
FROM system.tables
WHERE database = currentDatabase() AND name IN ('observations', 'observations_local')
