-- Removes the rows of an import, unless the newest slot was entered with a newer revision: then the writer has lost the series to another one.
-- Parameters: source, import, revision.
DELETE FROM /*!$database.*/observations/*!_local ON CLUSTER $cluster*/
WHERE source = {source:String} AND import_id = {import:UInt64}
  AND {revision:UInt64} > (SELECT max(s.revision) FROM /*!$database.*/slots AS s)
SETTINGS mutations_execute_subqueries_on_initiator = 1
