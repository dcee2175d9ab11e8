-- name: disk
-- The room on the local disks that hold the tables of this database: bytes that may still be written, and bytes that are kept
-- free in addition. If there are several servers, the one with the least room counts. No row: there is no local disk. No parameters.
SELECT min(room) AS room, min(reserve) AS reserve
FROM (
  SELECT hostName() AS host, max(free_space) AS room, min(keep_free_space) AS reserve
  FROM /*!clusterAllReplicas($cluster, */system.disks/*!)*/
  WHERE lower(type) = 'local' AND name IN (
    SELECT arrayJoin(disks) FROM system.storage_policies
    WHERE policy_name IN (
      SELECT arrayJoin(if(count() = 0, ['default'], groupUniqArray(storage_policy)))
      FROM system.tables
      WHERE database = currentDatabase() AND storage_policy != ''
    )
  )
  GROUP BY host
)
HAVING count() > 0
