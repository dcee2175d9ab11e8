-- Tables that a restore fills on one replica only. Parameters: database.
SELECT name FROM system.tables WHERE database = {database:String} AND engine LIKE 'Replicated%'
