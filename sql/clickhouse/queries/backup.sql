-- name: backup
-- Begins to write the series to the disk `backups` of the server's configuration (of a cluster: a disk that all servers share).
-- Parameters: name.
BACKUP DATABASE $database /*!ON CLUSTER $cluster*/ TO Disk('backups', {name:String}) ASYNC

-- name: filled_tables
-- Tables of a database that have rows, except the list of applied files. Parameters: database.
SELECT name FROM /*!cluster($cluster, */system.tables/*!)*/
WHERE database = {database:String} AND total_rows > 0 AND name NOT IN ('migrations', 'migrations_local')

-- name: forget_ledger
-- Empties the list of applied files, if there is one.
TRUNCATE TABLE IF EXISTS $table/*!_local ON CLUSTER $cluster*/ SYNC

-- name: replicated_tables
-- Tables that a restore fills on one replica only. Parameters: database.
SELECT name FROM system.tables WHERE database = {database:String} AND engine LIKE 'Replicated%'

-- name: restore
-- Begins to restore a backup into tables that are missing or empty. Parameters: name.
RESTORE DATABASE $database /*!ON CLUSTER $cluster*/ FROM Disk('backups', {name:String}) ASYNC

-- name: state
-- The progress of a backup or restore. Parameters: id.
SELECT toString(status) AS status, error, total_size AS bytes FROM system.backups WHERE id = {id:String}

-- name: sync_replica
-- Waits until every replica has all rows.
SYSTEM SYNC REPLICA /*!ON CLUSTER $cluster*/ $table
