-- Moves the new rows of an import into the series. Safe to run again after any part of it. It does nothing when the newest slot was entered with a newer
-- revision: then the writer has lost the series to another one.
-- Parameters: those of judged_rows.sql, revision, imports Array(UInt64) (the import of each file).
INSERT INTO observations (
  {{observation_columns}}, import_id
)
SELECT
  {{observation_columns}}, {imports:Array(UInt64)}[file + 1]
FROM (
  $judged_rows
)
WHERE verdict = 'new' AND {revision:UInt64} > (SELECT max(revision) FROM slots)
