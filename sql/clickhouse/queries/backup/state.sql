-- How far a backup or restore has come. Parameters: id.
SELECT toString(status) AS status, error, total_size AS bytes FROM system.backups WHERE id = {id:String}
