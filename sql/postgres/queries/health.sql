-- name: backup
-- The newest backup of the series in this database's ledger. `at`: unix seconds
SELECT name, extract(epoch FROM taken_at)::float8 AS at, bytes FROM backups ORDER BY taken_at DESC, name LIMIT 1

-- name: note_backup
-- Records a backup of the series. $1 its name, $2 bytes
INSERT INTO backups (name, bytes) VALUES ($1, $2)
ON CONFLICT (name) DO UPDATE SET bytes = excluded.bytes, taken_at = excluded.taken_at

-- name: pipeline
-- The state of the snapshots, the backlog of the pipeline, the damage to the series (not mended, or mended in the last day), and the state of the
-- market's source; NULL: the market is this database's marketplace.
SELECT
  EXISTS (SELECT FROM snapshots) OR EXISTS (SELECT FROM collector) AS takes_snapshots,
  (SELECT count(*) FROM snapshots WHERE loaded_at IS NULL)::int AS spooled_slots,
  (SELECT count(*) FROM pending_rollups)::int AS pending_rollups,
  (SELECT coalesce(max(todo_before), 0) FROM backfills) AS filled_since,
  (SELECT count(*) FROM damages WHERE kind = 'part' AND mended_at IS NULL)::int AS broken_parts,
  (SELECT count(*) FROM damages WHERE kind = 'lost' AND mended_at IS NULL)::int AS lost_ranges,
  (
    SELECT coalesce(json_agg(json_build_object('problem', problem, 'mended', mended) ORDER BY mended, found DESC, problem), '[]')
    FROM (
      SELECT problem, mended_at IS NOT NULL AS mended, max(found_at) AS found
      FROM damages
      WHERE mended_at IS NULL OR mended_at > rackrate_now() - interval '1 day'
      GROUP BY problem, mended
      ORDER BY mended, found DESC
      LIMIT 20
    ) AS newest
  ) AS damages,
  (SELECT json_build_object('failures', failures, 'problem', problem, 'newest_slot', good_slot, 'coverage',
    (SELECT json_build_object('share', share, 'low', low, 'high', high, 'age', age, 'problem', problem, 'official', official - 'names') FROM coverage ORDER BY slot DESC LIMIT 1)) FROM collector) AS source
