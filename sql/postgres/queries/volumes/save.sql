-- Creates or updates the volume listing of each machine, and extends running contracts to a given later end when that does not raise their price.
-- $1 machines. Given or null: $2 GB, $3 USD per GB and month, $4 end (unix seconds), $5 hidden. For new listings, where not given: $6 GB,
-- $7 USD per GB and month, $8 end (unix seconds)
WITH listed AS (
  INSERT INTO volume_listings AS l (machine_id, size, price_disk, end_date, hidden)
  SELECT machine_id, coalesce($2, $6::int), coalesce($3, $7::numeric), to_timestamp(coalesce($4, $8::float8)), coalesce($5, false)
  FROM unnest($1::int[]) AS machine_id
  ON CONFLICT (machine_id) WHERE ended_at IS NULL DO UPDATE SET
    size = coalesce($2, l.size), price_disk = coalesce($3, l.price_disk), end_date = coalesce(to_timestamp($4), l.end_date),
    hidden = coalesce($5, l.hidden), updated_at = rackrate_now()
  RETURNING machine_id, id, size, price_disk, end_date, xmax = 0 AS created
),
extended AS (
  UPDATE volume_contracts v SET ends_at = listed.end_date
  FROM listed
  WHERE $4 IS NOT NULL AND v.machine_id = listed.machine_id AND v.ended_at IS NULL AND v.ends_at > rackrate_now()
    AND v.ends_at < listed.end_date AND v.price_disk >= listed.price_disk
  RETURNING v.machine_id
)
SELECT
  machine_id, id AS listing_id, size, created,
  (SELECT count(*)::int FROM extended WHERE extended.machine_id = listed.machine_id) AS extended
FROM listed
