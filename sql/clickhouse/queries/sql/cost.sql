-- What a query cost that has ended. {id:String}: its query_id
SELECT read_rows, read_bytes, result_rows, memory_usage, query_duration_ms AS duration_ms
FROM system.query_log
WHERE query_id = {id:String} AND type != 'QueryStart' AND event_date >= today() - 1
LIMIT 1
