-- name: checked_days
-- The record of the newest check of each day. `checked_at`: unix seconds
SELECT day, revision, done, parts, problems, not_checked, extract(epoch FROM checked_at)::float8 AS checked_at FROM checked_days

-- name: record_day
-- Records the progress of a day's check. $1 day (unix seconds), $2 newest revision of the day when the check began, $3 finished parts, $4 all
-- parts, $5 problems, $6 ranges that could not be checked
INSERT INTO checked_days (day, revision, done, parts, problems, not_checked, checked_at)
VALUES ($1, $2, $3, $4, $5, $6, rackrate_now())
ON CONFLICT (day) DO UPDATE SET
  revision = excluded.revision, done = excluded.done, parts = excluded.parts, problems = excluded.problems,
  not_checked = excluded.not_checked, checked_at = excluded.checked_at

-- name: snapshots
-- The snapshots of [$1, $2), oldest first. `is_spooled`: it can be loaded again
SELECT
  slot, source, loaded_at IS NOT NULL AS is_loaded,
  observations = 0 OR EXISTS (SELECT FROM spool WHERE spool.slot = snapshots.slot) AS is_spooled
FROM snapshots
WHERE slot >= $1 AND slot < $2
ORDER BY slot
