-- name: end_statements
-- Ends statements and waits until they have ended. Parameters: ids Array(String), their names.
KILL QUERY /*!ON CLUSTER $cluster*/ WHERE query_id IN {ids:Array(String)} SYNC

-- name: entries
-- Every slot of the series by source: its entry in the ledger with the number of observations, its visibility to readers, and the number of
-- observations found. Before `since` observations may be dropped, so slots that readers see count as complete. Parameters: since.
SELECT
  toUnixTimestamp(slot) AS slot, source, max(is_entered) AS is_entered, sum(entered) AS entered, max(is_ready) AS is_ready,
  sum(found) AS found
FROM (
  SELECT
    slot, source, true AS is_entered, observations AS entered, ready AS is_ready,
    if(ready AND slot < toDateTime({since:UInt32}, 'UTC'), observations, 0) AS found
  FROM slots FINAL
  UNION ALL
  SELECT slot, source, false, 0, false, count()
  FROM observations
  WHERE slot >= toDateTime({since:UInt32}, 'UTC')
  GROUP BY slot, source
)
GROUP BY slot, source
ORDER BY slot, source

-- name: lacking
-- The end of the newest hour (unix seconds) whose rows may lack the key columns that this release added, the size of memory and the tier; 0: there is
-- none. An unknown size is 0, and an unknown tier 'unknown', too. No parameters.
SELECT if(count() = 0, 0, toUnixTimestamp(max(hour)) + 3600) AS before
FROM price_histogram
WHERE gpu_memory = 0 OR tier = 'unknown' AND NOT verified

-- name: newest
-- Progress of ClickHouse with the series: its newest revision, its newest snapshot, and true if readers see a snapshot. Parameters: loaded.
SELECT
  max(s.revision) AS revision,
  toUnixTimestamp(maxIf(s.slot, s.source IN ('market', 'simulated'))) AS slot,
  countIf(s.slot = toDateTime({loaded:UInt32}, 'UTC') AND s.ready AND s.source IN ('market', 'simulated')) > 0 AS shown
FROM slots AS s

-- name: newest_revision
-- The newest revision of all tables that have one.
SELECT max(revision) AS revision FROM (
  SELECT max(revision) AS revision FROM slots
  UNION ALL
  SELECT max(revision) FROM price_histogram
  UNION ALL
  SELECT max(revision) FROM price_steps
  UNION ALL
  SELECT max(revision) FROM cube
  UNION ALL
  SELECT max(revision) FROM flows
  UNION ALL
  SELECT max(revision) FROM terms
  UNION ALL
  SELECT max(revision) FROM specs
  UNION ALL
  SELECT max(revision) FROM machine_days
  UNION ALL
  SELECT max(revision) FROM price_index
  UNION ALL
  SELECT max(revision) FROM published_days
)

-- name: range
-- The range from the first slot of the series to just after the last one; 0 and 0 without slots.
SELECT toUnixTimestamp(min(slot)) AS from, if(count() = 0, 0, toUnixTimestamp(max(slot)) + 1) AS to FROM slots

-- name: running
-- The other statements that write to the series of this database now. Parameters: prefix, of their names.
SELECT query_id AS id
FROM /*!clusterAllReplicas($cluster, */system.processes/*!)*/
WHERE startsWith(query_id, {prefix:String}) AND query_id != queryID() AND current_database = currentDatabase()

-- name: shown
-- The newest slot that readers may see, and the first slot after it, unix seconds. Parameters: shown, the newest time that they may see.
SELECT
  toUnixTimestamp(maxIf(slot, slot <= toDateTime({shown:UInt32}, 'UTC'))) AS newest_slot,
  toUnixTimestamp(minIf(slot, slot > toDateTime({shown:UInt32}, 'UTC'))) AS hidden_from
FROM slots
WHERE ready

-- name: slots
-- The slots of the series that readers may see, in order. No parameters.
SELECT DISTINCT toUnixTimestamp(slot) AS slot FROM slots WHERE ready ORDER BY slot

-- name: state
-- The present range of the series. `revision` changes whenever an answer may, and `published` whenever a day is published. Slots in unix seconds,
-- 0 when there is none. `sources` names the sources of its slots.
SELECT
  max(revision) AS revision,
  toUnixTimestamp(min(slot)) AS first_slot,
  toUnixTimestamp(max(slot)) AS newest_slot,
  toUnixTimestamp(minIf(slot, source = 'simulated')) AS simulated_from,
  toUnixTimestamp(maxIf(slot, source = 'simulated')) AS simulated_to,
  groupUniqArray(toString(source)) AS sources,
  (SELECT max(p.revision) FROM published_days AS p) AS published
FROM slots
WHERE ready

-- name: unfinished_deletes
-- One row while ClickHouse is still changing observations.
SELECT 1 AS unfinished
FROM /*!clusterAllReplicas($cluster, */system.mutations/*!)*/
WHERE database = currentDatabase() AND table IN ('observations', 'observations_local') AND (command LIKE '%_row_exists%' OR command LIKE '%UPDATE machines%') AND NOT is_done
LIMIT 1
