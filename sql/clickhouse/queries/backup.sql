-- name: backup
-- Begins to write the series to the disk `backups` of the server's configuration (of a cluster: one that all servers share). Parameters: name.
BACKUP DATABASE $database /*!ON CLUSTER $cluster*/ TO Disk('backups', {name:String}) ASYNC

-- name: filled_tables
-- Tables of a database that have rows, but for the list of applied files. Parameters: database.
SELECT name FROM /*!cluster($cluster, */system.tables/*!)*/
WHERE database = {database:String} AND total_rows > 0 AND name NOT IN ('migrations', 'migrations_local')

-- name: forget_ledger
-- Empties the list of applied files, where there is one.
TRUNCATE TABLE IF EXISTS $table/*!_local ON CLUSTER $cluster*/ SYNC

-- name: replicated_tables
-- Tables that a restore fills on one replica only. Parameters: database.
SELECT name FROM system.tables WHERE database = {database:String} AND engine LIKE 'Replicated%'

-- name: restore
-- Begins to read what `backup` wrote into tables that aren't there or are empty. Parameters: name.
RESTORE DATABASE $database /*!ON CLUSTER $cluster*/ FROM Disk('backups', {name:String}) ASYNC

-- name: state
-- How far a backup or restore has come. Parameters: id.
SELECT toString(status) AS status, error, total_size AS bytes FROM system.backups WHERE id = {id:String}

-- name: sync_replica
-- Waits until every replica has what any of them has.
SYSTEM SYNC REPLICA /*!ON CLUSTER $cluster*/ $table
