-- The words of this engine's SQL, for completion: functions, keywords and types. Names that begin with __ are the engine's own.
SELECT
  (SELECT arraySort(groupArray(name)) FROM system.functions WHERE NOT startsWith(name, '__')) AS functions,
  (SELECT arraySort(groupArray(keyword)) FROM system.keywords) AS keywords,
  (SELECT arraySort(groupArray(name)) FROM system.data_type_families) AS types
