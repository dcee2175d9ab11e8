-- name: filters
-- The values that the rentals of an account have in the columns that clients offer as filters. $1 account
SELECT DISTINCT c.actual_status, m.verification, m.gpu_name
FROM contracts c JOIN machines m ON m.id = c.machine_id
WHERE c.account_id = $1 AND c.ended_at IS NULL AND (c.ends_at IS NULL OR c.ends_at > rackrate_now())
ORDER BY m.gpu_name, c.actual_status, m.verification

-- name: search
-- The running and agreed rentals of an account that match all filters, as JSON objects, sorted by one column and the id. total:
-- of all pages. Without an agreed end the listing's end counts, or without one a time a year ahead. $1 account, $2 only this
-- instance (or null), $3 filters, $4 column, $5 descending, $6 and $7 id and value at the start of the page (or null), $8 the
-- most rows
WITH found AS (
  SELECT c.id, to_jsonb(r) AS instance
  FROM contracts c
  JOIN machines m ON m.id = c.machine_id
  LEFT JOIN gpu_listings l ON l.machine_id = m.id AND l.ended_at IS NULL AND l.expires_at > rackrate_now()
  CROSS JOIN LATERAL (SELECT count(*)::int AS n FROM gpu_holds h WHERE h.contract_id = c.id) g
  CROSS JOIN LATERAL (
    SELECT
      c.id, c.machine_id, c.actual_status, g.n AS num_gpus, m.gpu_name, m.gpu_ram, c.disk_space, (c.price * g.n)::float8 AS dph_total,
      extract(epoch FROM c.starts_at)::float8 AS start_date,
      extract(epoch FROM coalesce(c.ends_at, l.expires_at, rackrate_now() + interval '1 year'))::float8 AS end_date,
      m.verification, m.geolocation, NULL AS label
  ) r
  WHERE c.account_id = $1 AND c.id = coalesce($2, c.id) AND c.ended_at IS NULL AND (c.ends_at IS NULL OR c.ends_at > rackrate_now())
),
matching AS (SELECT id, instance FROM found WHERE matches(instance, $3::jsonb))
SELECT instance, (SELECT count(*)::int FROM matching) AS total
FROM matching
WHERE $6::int IS NULL OR CASE WHEN $5::boolean THEN (instance->$4::text, id) < ($7::jsonb, $6) ELSE (instance->$4::text, id) > ($7::jsonb, $6) END
ORDER BY
  CASE WHEN $5 THEN instance->$4 END DESC, CASE WHEN NOT $5 THEN instance->$4 END, CASE WHEN $5 THEN -id ELSE id END
LIMIT $8
