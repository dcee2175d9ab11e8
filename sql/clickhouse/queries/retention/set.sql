-- Keeps observations for some days. Parameters: days UInt32.
ALTER TABLE /*!$database.*/observations/*!_local ON CLUSTER $cluster*/ MODIFY TTL slot + toIntervalDay({days:UInt32})
