-- Whether snapshots are taken, and what the pipeline has before it.
SELECT
  EXISTS (SELECT FROM snapshots) AS takes_snapshots,
  (SELECT count(*) FROM snapshots WHERE loaded_at IS NULL)::int AS spooled_slots,
  (SELECT count(*) FROM pending_rollups)::int AS pending_rollups,
  (SELECT greatest(0, filled_from - fill_until) / 3600 FROM flow_progress)::int AS flow_hours_to_fill
