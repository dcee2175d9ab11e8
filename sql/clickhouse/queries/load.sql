-- name: count_snapshot
-- Number of observations of a snapshot. Parameters: slot, source.
SELECT count() AS found FROM observations WHERE slot = toDateTime({slot:UInt32}, 'UTC') AND source = {source:String}

-- name: forget_snapshot
-- Removes the observations of a snapshot, unless its slot was entered with a newer revision: then the writer has lost the series to another one.
-- Parameters: slot, source, revision.
DELETE FROM /*!$database.*/observations/*!_local ON CLUSTER $cluster*/
WHERE slot = toDateTime({slot:UInt32}, 'UTC') AND source = {source:String}
  AND {revision:UInt64} > (
    SELECT max(s.revision) FROM /*!$database.*/slots AS s
    WHERE s.slot = toDateTime({slot:UInt32}, 'UTC') AND s.source = {source:String}
  )
SETTINGS mutations_execute_subqueries_on_initiator = 1

-- name: observations
-- Adds observations of a snapshot, unless its slot was entered with a newer revision: then the writer has lost the series to
-- another one. The column order is the order of the spool's lines (sql/postgres/queries/market.sql). Lines of earlier releases
-- end with `source`; the missing columns are unknown. Columns are therefore only added at the end. Parameters: slot, source,
-- revision. Data follows as JSONCompactEachRow.
INSERT INTO observations (
  {{observation_columns}}
)
SELECT
  {{observation_columns}}
FROM input('
  slot DateTime(\'UTC\'), {{observation_types}}
')
WHERE {revision:UInt64} > (
  SELECT max(revision) FROM slots
  WHERE slot = toDateTime({slot:UInt32}, 'UTC') AND source = {source:String}
)
FORMAT JSONCompactEachRow
