-- Empties the list of applied files, where there is one.
TRUNCATE TABLE IF EXISTS $table/*!_local ON CLUSTER $cluster*/ SYNC
