-- One row while ClickHouse is still changing observations.
SELECT 1 AS unfinished
FROM /*!clusterAllReplicas($cluster, */system.mutations/*!)*/
WHERE database = currentDatabase() AND table IN ('observations', 'observations_local') AND (command LIKE '%_row_exists%' OR command LIKE '%UPDATE machines%') AND NOT is_done
LIMIT 1
