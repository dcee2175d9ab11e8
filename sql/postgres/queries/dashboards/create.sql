-- Creates a dashboard. `id` is NULL when its name is taken or there are too many. $1 account, $2 name, $3 panels, $4 at most
WITH created AS (
  INSERT INTO dashboards (updated_by, name, panels)
  SELECT $1::int, $2, $3::jsonb WHERE (SELECT count(*) FROM dashboards) < $4
  ON CONFLICT DO NOTHING
  RETURNING id
)
SELECT (SELECT id FROM created) AS id, (SELECT count(*) FROM dashboards) >= $4 AS too_many
