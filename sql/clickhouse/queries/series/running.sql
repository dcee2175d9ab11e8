-- The other statements that write to the series of this database now. Parameters: prefix, of their names.
SELECT query_id AS id
FROM /*!clusterAllReplicas($cluster, */system.processes/*!)*/
WHERE startsWith(query_id, {prefix:String}) AND query_id != queryID() AND current_database = currentDatabase()
