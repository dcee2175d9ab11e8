-- Removes the observations of a snapshot, unless its slot was entered with a newer revision: then the writer has lost the series to another one.
-- Parameters: slot, source, revision.
DELETE FROM /*!$database.*/observations/*!_local ON CLUSTER $cluster*/
WHERE slot = toDateTime({slot:UInt32}, 'UTC') AND source = {source:String}
  AND {revision:UInt64} > (
    SELECT max(s.revision) FROM /*!$database.*/slots AS s
    WHERE s.slot = toDateTime({slot:UInt32}, 'UTC') AND s.source = {source:String}
  )
SETTINGS mutations_execute_subqueries_on_initiator = 1
