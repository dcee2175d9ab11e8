-- Waits until every replica has what any of them has.
SYSTEM SYNC REPLICA /*!ON CLUSTER $cluster*/ $table
