-- Whether snapshots are taken, what the pipeline has before it, and how the source of the market does; NULL: it is this database's marketplace.
SELECT
  EXISTS (SELECT FROM snapshots) OR EXISTS (SELECT FROM collector) AS takes_snapshots,
  (SELECT count(*) FROM snapshots WHERE loaded_at IS NULL)::int AS spooled_slots,
  (SELECT count(*) FROM pending_rollups)::int AS pending_rollups,
  (SELECT greatest(0, filled_from - fill_until) / 3600 FROM flow_progress)::int AS flow_hours_to_fill,
  (SELECT json_build_object('failures', failures, 'problem', problem, 'newest_slot', good_slot) FROM collector) AS source
