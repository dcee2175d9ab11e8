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

-- name: slots
-- The slots of [from, to) that readers may see, in order. Parameters: from, to.
SELECT DISTINCT toUnixTimestamp(slot) AS slot
FROM slots
WHERE ready AND slot >= toDateTime({from:UInt32}, 'UTC') AND slot < toDateTime({to:UInt32}, 'UTC')
ORDER BY slot

-- name: snapshots
-- The first and the newest snapshot that readers may see (unix seconds, 0: there is none), and true if one of them is simulated, and if none of them
-- has a machine. Imports do not count.
SELECT
  toUnixTimestamp(min(slot)) AS first_slot, toUnixTimestamp(max(slot)) AS newest_slot,
  toBool(countIf(source = 'simulated') > 0) AS is_simulated, toBool(max(observations) = 0) AS is_empty
FROM slots
WHERE ready AND source IN ('market', 'simulated')
