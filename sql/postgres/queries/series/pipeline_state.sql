-- What the pipeline has before it.
SELECT
  (SELECT count(*) FROM snapshots WHERE loaded_at IS NULL)::int AS spooled_slots,
  (SELECT count(*) FROM pending_rollups)::int AS pending_rollups
