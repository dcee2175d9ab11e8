-- How far PostgreSQL has come with the series: the newest revision that it gave out, the newest slot that it knows of (the simulated market's
-- history ends at its anchor) and the newest that it calls loaded. 0: none
SELECT
  (SELECT last_value FROM revisions) AS revision,
  coalesce(greatest((SELECT max(slot) FROM snapshots), (SELECT anchor_slot FROM simulation)), 0) AS slot,
  coalesce((SELECT max(slot) FROM snapshots WHERE loaded_at IS NOT NULL), 0) AS loaded
