-- What queries cost that have ended. {ids:Array(String)}: their query_ids
SELECT query_id AS id, read_rows, read_bytes, result_rows, memory_usage, query_duration_ms AS duration_ms
FROM system.query_log
WHERE query_id IN ({ids:Array(String)}) AND type != 'QueryStart' AND event_date >= today() - 1
LIMIT 1 BY query_id
