-- Begins to read what backup.sql wrote into tables that aren't there or are empty. Parameters: name.
RESTORE DATABASE $database /*!ON CLUSTER $cluster*/ FROM Disk('backups', {name:String}) ASYNC
