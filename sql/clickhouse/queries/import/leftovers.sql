-- Staging tables of imports that were ended. Parameters: kept Array(String), tables whose rows are still to be moved.
SELECT name FROM system.tables WHERE database = currentDatabase() AND startsWith(name, 'import_stage_') AND NOT has({kept:Array(String)}, name)
