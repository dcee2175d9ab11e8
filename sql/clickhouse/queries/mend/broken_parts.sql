-- Parts of this database's tables that ClickHouse found broken and set aside. Replicated tables fetch such a part from another server.
-- No parameters.
SELECT hostName() AS server, replaceRegexpOne(table, '_local$', '') AS table, name AS part, ifNull(partition_id, '') AS partition
FROM /*!clusterAllReplicas($cluster, */system.detached_parts/*!)*/
WHERE database = currentDatabase() AND startsWith(ifNull(reason, ''), 'broken')
  AND table NOT IN (SELECT name FROM system.tables WHERE database = currentDatabase() AND engine LIKE 'Replicated%')
ORDER BY server, table, part
