-- Tables of a database that have rows, but for the list of applied files. Parameters: database.
SELECT name FROM /*!cluster($cluster, */system.tables/*!)*/
WHERE database = {database:String} AND total_rows > 0 AND name NOT IN ('migrations', 'migrations_local')
