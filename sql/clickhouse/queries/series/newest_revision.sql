-- The newest revision of all tables that have one.
SELECT max(revision) AS revision FROM (
  SELECT max(revision) AS revision FROM slots
  UNION ALL
  SELECT max(revision) FROM price_histogram
  UNION ALL
  SELECT max(revision) FROM price_steps
  UNION ALL
  SELECT max(revision) FROM cube
  UNION ALL
  SELECT max(revision) FROM flows
  UNION ALL
  SELECT max(revision) FROM terms
  UNION ALL
  SELECT max(revision) FROM machine_days
  UNION ALL
  SELECT max(revision) FROM price_index
  UNION ALL
  SELECT max(revision) FROM published_days
)
