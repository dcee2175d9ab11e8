-- One dashboard. $1 id
SELECT
  d.id, d.name, d.revision, a.name AS username, extract(epoch FROM d.updated_at)::float8 AS updated_at, d.panels
FROM dashboards d LEFT JOIN accounts a ON a.id = d.updated_by
WHERE d.id = $1
