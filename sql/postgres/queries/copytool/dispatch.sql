-- Notes that somebody is told that a copy is on its way, or, if nobody was told so, that nobody shall take it any more; a row comes back while
-- it lives. $1 task, $2 whether the host can be reached
WITH noted AS (
  UPDATE host_tasks SET
    dispatched_at = CASE WHEN $2 THEN coalesce(dispatched_at, now()) ELSE dispatched_at END,
    dead_at = CASE WHEN NOT $2 AND dispatched_at IS NULL AND fetched_at IS NULL THEN now() END
  WHERE id = $1 AND dead_at IS NULL
  RETURNING id, dead_at
)
SELECT id FROM noted WHERE dead_at IS NULL
