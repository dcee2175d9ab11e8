-- Ends statements and waits until they have ended. Parameters: ids Array(String), their names.
KILL QUERY /*!ON CLUSTER $cluster*/ WHERE query_id IN {ids:Array(String)} SYNC
