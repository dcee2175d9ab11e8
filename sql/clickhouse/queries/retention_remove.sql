-- Keeps observations for ever.
ALTER TABLE observations/*!_local ON CLUSTER $cluster*/ REMOVE TTL
