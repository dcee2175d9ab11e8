-- Keeps observations for ever.
ALTER TABLE /*!$database.*/observations/*!_local ON CLUSTER $cluster*/ REMOVE TTL
