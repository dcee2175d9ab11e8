-- Removes the entry of a snapshot, unless it has a newer revision. Parameters: slot, source, revision.
DELETE FROM /*!$database.*/slots/*!_local ON CLUSTER $cluster*/
WHERE slot = toDateTime({slot:UInt32}, 'UTC') AND source = {source:String} AND revision < {revision:UInt64}
