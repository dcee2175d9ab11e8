-- name: change
-- Replaces the content of a dashboard. `revision` is NULL when it has another revision (`is_stale`) or the name is taken. $1 id,
-- $2 account, $3 name, $4 panels, $5 the revision that the change is based on
WITH changed AS (
  UPDATE dashboards d SET name = $3, panels = $4, updated_by = $2, revision = revision + 1, updated_at = rackrate_now()
  WHERE id = $1 AND revision = $5
    AND NOT EXISTS (SELECT FROM dashboards other WHERE lower(other.name) = lower($3) AND other.id <> d.id)
  RETURNING revision
)
SELECT (SELECT revision FROM changed) AS revision, revision <> $5 AS is_stale FROM dashboards WHERE id = $1

-- name: create
-- Creates a dashboard. `id` is NULL if its name is taken or there are too many dashboards. $1 account, $2 name, $3 panels, $4 the most
-- dashboards
WITH created AS (
  INSERT INTO dashboards (updated_by, name, panels)
  SELECT $1::int, $2, $3::jsonb WHERE (SELECT count(*) FROM dashboards) < $4
  ON CONFLICT DO NOTHING
  RETURNING id
)
SELECT (SELECT id FROM created) AS id, (SELECT count(*) FROM dashboards) >= $4 AS too_many

-- name: get
-- One dashboard. $1 id
SELECT
  d.id, d.name, d.revision, a.name AS username, extract(epoch FROM d.updated_at)::float8 AS updated_at, d.panels
FROM dashboards d LEFT JOIN accounts a ON a.id = d.updated_by
WHERE d.id = $1

-- name: list
-- All dashboards by name, with the number of their panels.
SELECT
  d.id, d.name, d.revision, a.name AS username, extract(epoch FROM d.updated_at)::float8 AS updated_at,
  jsonb_array_length(d.panels) AS panels
FROM dashboards d LEFT JOIN accounts a ON a.id = d.updated_by
ORDER BY lower(d.name)
