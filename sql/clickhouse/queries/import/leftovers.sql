-- Staging tables of imports, those of killed ones among them.
SELECT name FROM system.tables WHERE database = currentDatabase() AND startsWith(name, 'import_stage_')
