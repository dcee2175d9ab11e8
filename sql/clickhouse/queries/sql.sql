-- name: costs
-- The cost of ended queries. {ids:Array(String)}: their query_ids
SELECT query_id AS id, read_rows, read_bytes, result_rows, memory_usage, query_duration_ms AS duration_ms
FROM system.query_log
WHERE query_id IN ({ids:Array(String)}) AND type != 'QueryStart' AND event_date >= today() - 1
LIMIT 1 BY query_id

-- name: schema
-- Tables and views of the current database with their columns and sizes. Tables of a cluster are listed once, with the comments
-- of their local tables.
SELECT
  t.database AS database, t.name AS name, t.engine AS engine, /*!coalesce(nullIf(shards.comment, ''), */t.comment/*!)*/ AS comment,
  /*!coalesce(shards.rows, */t.total_rows/*!)*/ AS rows,
  /*!coalesce(shards.bytes, */t.total_bytes/*!)*/ AS bytes,
  CAST(c.columns, 'Array(Tuple(name String, type String, comment String))') AS columns
FROM system.tables AS t
INNER JOIN (
  SELECT table, groupArray((name, type, comment)) AS columns
  FROM (SELECT * FROM system.columns WHERE database = currentDatabase() ORDER BY table, position)
  GROUP BY table
) AS c ON c.table = /*!if(t.engine = 'Distributed', concat(t.name, '_local'), */t.name/*!)*/
/*!LEFT JOIN (
  SELECT concat(database, '.', name) AS part, sum(total_rows) AS rows, sum(total_bytes) AS bytes, any(comment) AS comment
  FROM cluster($cluster, system.tables)
  WHERE database = '$database'
  GROUP BY part
) AS shards ON shards.part = concat(t.database, '.', t.name, '_local')*/
WHERE t.database = currentDatabase() AND t.name != 'migrations' /*!AND NOT endsWith(t.name, '_local')*/
ORDER BY t.name

-- name: words
-- The words of this engine's SQL, for completion: functions, keywords and types. Names that begin with __ are the engine's own.
SELECT
  (SELECT arraySort(groupArray(name)) FROM system.functions WHERE NOT startsWith(name, '__')) AS functions,
  (SELECT arraySort(groupArray(keyword)) FROM system.keywords) AS keywords,
  (SELECT arraySort(groupArray(name)) FROM system.data_type_families) AS types
