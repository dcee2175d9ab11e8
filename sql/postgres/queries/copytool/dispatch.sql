-- Notes whether a host was told of its task. A task of which no host was ever told is cancelled. Returns a row unless the task is cancelled.
-- $1 task, $2 whether the host can be reached
WITH noted AS (
  UPDATE host_tasks SET
    dispatched_at = CASE WHEN $2 THEN coalesce(dispatched_at, rackrate_now()) ELSE dispatched_at END,
    dead_at = CASE WHEN NOT $2 AND dispatched_at IS NULL AND fetched_at IS NULL THEN rackrate_now() END
  WHERE id = $1 AND dead_at IS NULL
  RETURNING id, dead_at
)
SELECT id FROM noted WHERE dead_at IS NULL
