-- Begins to write the series to the disk `backups` of the server's configuration (of a cluster: one that all servers share). Parameters: name.
BACKUP DATABASE $database /*!ON CLUSTER $cluster*/ TO Disk('backups', {name:String}) ASYNC
