-- Removes the observations of a snapshot. Parameters: slot, source.
DELETE FROM /*!$database.*/observations/*!_local ON CLUSTER $cluster*/
WHERE slot = toDateTime({slot:UInt32}, 'UTC') AND source = {source:String}
