-- Moves the new rows of an import into the series. Safe to run again after any part of it. Parameters: those of new_rows.sql.
INSERT INTO observations (
  {{observation_columns}}
)
$new_rows
