-- Replaces what is written of a dashboard. `revision` is NULL when it has another revision (`is_stale`) or the name is taken.
-- $1 id, $2 account, $3 name, $4 panels, $5 the revision that was changed
WITH changed AS (
  UPDATE dashboards d SET name = $3, panels = $4, updated_by = $2, revision = revision + 1, updated_at = rackrate_now()
  WHERE id = $1 AND revision = $5
    AND NOT EXISTS (SELECT FROM dashboards other WHERE lower(other.name) = lower($3) AND other.id <> d.id)
  RETURNING revision
)
SELECT (SELECT revision FROM changed) AS revision, revision <> $5 AS is_stale FROM dashboards WHERE id = $1
