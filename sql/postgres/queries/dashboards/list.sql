-- All dashboards by name, with the number of their panels.
SELECT
  d.id, d.name, d.revision, a.name AS username, extract(epoch FROM d.updated_at)::float8 AS updated_at,
  jsonb_array_length(d.panels) AS panels
FROM dashboards d LEFT JOIN accounts a ON a.id = d.updated_by
ORDER BY lower(d.name)
