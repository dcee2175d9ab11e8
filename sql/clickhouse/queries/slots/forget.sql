-- Removes a snapshot from the ledger. Parameters: slot, source.
DELETE FROM /*!$database.*/slots/*!_local ON CLUSTER $cluster*/
WHERE slot = toDateTime({slot:UInt32}, 'UTC') AND source = {source:String}
