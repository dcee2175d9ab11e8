-- One row while ClickHouse is still removing observations.
SELECT 1 AS unfinished
FROM /*!clusterAllReplicas($cluster, */system.mutations/*!)*/
WHERE database = currentDatabase() AND table IN ('observations', 'observations_local') AND command LIKE '%_row_exists%' AND NOT is_done
LIMIT 1
