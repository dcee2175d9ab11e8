-- How far PostgreSQL has come with the series: the newest revision that it gave out, and the newest slot that it calls loaded (0: none).
SELECT
  (SELECT last_value FROM revisions) AS revision,
  coalesce((SELECT max(slot) FROM snapshots WHERE loaded_at IS NOT NULL), 0) AS slot
