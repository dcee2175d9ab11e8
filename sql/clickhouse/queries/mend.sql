-- name: broken_parts
-- Parts of this database's tables that ClickHouse found broken and set aside. Replicated tables fetch such a part from another server.
-- No parameters.
SELECT hostName() AS server, replaceRegexpOne(table, '_local$', '') AS table, name AS part, ifNull(partition_id, '') AS partition
FROM /*!clusterAllReplicas($cluster, */system.detached_parts/*!)*/
WHERE database = currentDatabase() AND startsWith(ifNull(reason, ''), 'broken')
  AND table NOT IN (SELECT name FROM system.tables WHERE database = currentDatabase() AND engine LIKE 'Replicated%')
ORDER BY server, table, part

-- name: days_without_machines
-- Published days of the days of [from, to) with slots and without a row of machine_days. Parameters: from, to.
SELECT toUnixTimestamp(toDateTime(p.day, 'UTC')) AS day
FROM published_days AS p FINAL
WHERE p.day >= toDate(toDateTime({from:UInt32}, 'UTC')) AND p.day <= toDate(toDateTime({to:UInt32}, 'UTC'))
  AND p.day /*!GLOBAL*/ IN (
    SELECT toDate(slot) FROM slots FINAL WHERE ready AND observations > 0 AND slot >= toDateTime({from:UInt32}, 'UTC') AND slot < toDateTime({to:UInt32}, 'UTC')
  )
  AND p.day /*!GLOBAL*/ NOT IN (
    SELECT DISTINCT day FROM machine_days WHERE day >= toDate(toDateTime({from:UInt32}, 'UTC')) AND day <= toDate(toDateTime({to:UInt32}, 'UTC'))
  )
ORDER BY day

-- name: forget_published
-- The entries of published days of [from, to), so that these days are published again. Parameters: from, to (starts of days).
DELETE FROM /*!$database.*/published_days/*!_local ON CLUSTER $cluster*/
WHERE day >= toDate(toDateTime({from:UInt32}, 'UTC')) AND day < toDate(toDateTime({to:UInt32}, 'UTC'))

-- name: lacking_hours
-- Hours of [from, to) with slots that readers see, and without the rows that are computed for every such hour, by table. In the cube only the rows
-- without a filter are checked: they are few. A bucket begins at most a week before its hours.
-- Parameters: from, to; steps Array(UInt32) (of the cube); price_steps Array(UInt32).
WITH seen AS (
  SELECT DISTINCT toUnixTimestamp(slot) AS slot, intDiv(slot, 3600) * 3600 AS hour
  FROM slots FINAL
  WHERE ready AND observations > 0 AND slot >= toDateTime({from:UInt32}, 'UTC') AND slot < toDateTime({to:UInt32}, 'UTC')
)
SELECT table, hour FROM (
  SELECT DISTINCT 'cube' AS table, hour
  FROM (SELECT hour, arrayJoin({steps:Array(UInt32)}) AS step, intDiv(slot, step) * step AS bucket FROM seen)
  WHERE (step, bucket) /*!GLOBAL*/ NOT IN (
    SELECT DISTINCT step, toUnixTimestamp(bucket)
    FROM cube
    WHERE has({steps:Array(UInt32)}, step) AND verified = 'all' AND hosting_type = 'all' AND num_gpus = 0 AND gpu_memory = 0
      AND bucket >= toDateTime({from:UInt32}, 'UTC') - INTERVAL 7 DAY AND bucket < toDateTime({to:UInt32}, 'UTC')
  )
  UNION ALL
  SELECT DISTINCT 'price_histogram' AS table, hour
  FROM seen
  WHERE hour /*!GLOBAL*/ NOT IN (
    SELECT DISTINCT toUnixTimestamp(hour) FROM price_histogram WHERE hour >= toDateTime({from:UInt32}, 'UTC') - INTERVAL 7 DAY AND hour < toDateTime({to:UInt32}, 'UTC')
  )
  UNION ALL
  SELECT DISTINCT 'price_steps' AS table, hour
  FROM (SELECT hour, arrayJoin({price_steps:Array(UInt32)}) AS step, intDiv(hour, step) * step AS bucket FROM seen)
  WHERE (step, bucket) /*!GLOBAL*/ NOT IN (
    SELECT DISTINCT step, toUnixTimestamp(bucket) FROM price_steps
    WHERE bucket >= toDateTime({from:UInt32}, 'UTC') - INTERVAL 7 DAY AND bucket < toDateTime({to:UInt32}, 'UTC')
  )
)
ORDER BY hour, table

-- name: short_months
-- Months, as in 202611, with fewer observations than the ledger has entered, by the row counts of their parts, which are cheap to read. Parts with
-- deleted rows count too many, so their months are returned, too. Parameters: since.
SELECT month
FROM (
  SELECT toYYYYMM(slot) AS month, sum(observations) AS entered, 0 AS found, 0 AS is_unsure
  FROM slots FINAL
  WHERE ready AND slot >= toDateTime({since:UInt32}, 'UTC')
  GROUP BY month
  UNION ALL
  SELECT toUInt32(partition) AS month, 0, sum(rows), max(has_lightweight_delete)
  FROM /*!cluster($cluster, */system.parts/*!)*/
  WHERE active AND database = currentDatabase() AND table IN ('observations', 'observations_local')
  GROUP BY month
)
GROUP BY month
HAVING sum(entered) > sum(found) OR max(is_unsure) > 0
ORDER BY month

-- name: short_slots
-- Slots of [from, to) that readers see and that have fewer observations than were entered. Parameters: from, to.
SELECT toUnixTimestamp(slot) AS slot, source
FROM (
  SELECT slot, source, observations AS entered, 0 AS found
  FROM slots FINAL
  WHERE ready AND slot >= toDateTime({from:UInt32}, 'UTC') AND slot < toDateTime({to:UInt32}, 'UTC')
  UNION ALL
  SELECT slot, source, 0, count()
  FROM observations
  WHERE slot >= toDateTime({from:UInt32}, 'UTC') AND slot < toDateTime({to:UInt32}, 'UTC')
  GROUP BY slot, source
)
GROUP BY slot, source
HAVING sum(found) < sum(entered)
ORDER BY slot, source
