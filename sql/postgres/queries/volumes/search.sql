-- The volume listings that a search finds, as JSON objects: not hidden, on machines that are online, with free space. storage_total_cost is for
-- $5 GB. $1 filters, $2 column to sort by, $3 descending, $4 how many at most, $5 GB
WITH found AS (
  SELECT r.id, to_jsonb(r) AS offer
  FROM (
    SELECT
      l.id, l.machine_id,
      (l.size - coalesce((SELECT sum(v.size) FROM volume_contracts v WHERE v.listing_id = l.id AND v.ended_at IS NULL AND v.ends_at > rackrate_now()), 0))::int
        AS disk_space,
      l.price_disk::float8 AS storage_cost, (l.price_disk * $5::numeric)::float8 AS storage_total_cost,
      extract(epoch FROM l.end_date)::float8 AS end_date, extract(epoch FROM l.end_date - rackrate_now())::float8 AS duration,
      m.verification, m.verification = 'verified' AS verified, false AS external, m.hosting_type, m.geolocation, m.num_gpus, m.gpu_name
    FROM volume_listings l JOIN machines m ON m.id = l.machine_id
    WHERE l.ended_at IS NULL AND l.end_date > rackrate_now() AND NOT l.hidden AND m.online AND m.removed_at IS NULL
  ) r
  WHERE r.disk_space > 0
)
SELECT offer FROM found
WHERE matches(offer, $1::jsonb)
ORDER BY
  CASE WHEN $3::boolean THEN coalesce(offer->$2::text, 'null') END DESC, CASE WHEN NOT $3 THEN coalesce(offer->$2, 'null') END,
  (offer->'storage_cost'), id
LIMIT $4
