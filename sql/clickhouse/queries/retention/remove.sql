-- Keeps observations forever.
ALTER TABLE /*!$database.*/observations/*!_local ON CLUSTER $cluster*/ REMOVE TTL
