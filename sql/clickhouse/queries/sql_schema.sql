-- Tables and views of the current database with their columns and sizes.
SELECT
  t.name AS name, t.engine AS engine, t.comment AS comment, t.total_rows AS rows, t.total_bytes AS bytes,
  CAST(c.columns, 'Array(Tuple(name String, type String, comment String))') AS columns
FROM system.tables AS t
INNER JOIN (
  SELECT table, groupArray((name, type, comment)) AS columns
  FROM (SELECT * FROM system.columns WHERE database = currentDatabase() ORDER BY table, position)
  GROUP BY table
) AS c ON c.table = t.name
WHERE t.database = currentDatabase()
ORDER BY t.name
