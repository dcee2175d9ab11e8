-- Lists a volume on each machine, or updates the listing that is live, and moves the end of running contracts later where they do
-- not pay more by it. $1 machines, $2 GB, $3 USD per GB and month, $4 end (unix seconds), $5 hidden (null: as it was, else no)
WITH listed AS (
  INSERT INTO volume_listings AS l (machine_id, size, price_disk, end_date, hidden)
  SELECT machine_id, $2, $3, to_timestamp($4), coalesce($5, false) FROM unnest($1::int[]) AS machine_id
  ON CONFLICT (machine_id) WHERE ended_at IS NULL DO UPDATE SET
    size = EXCLUDED.size, price_disk = EXCLUDED.price_disk, end_date = EXCLUDED.end_date,
    hidden = coalesce($5, l.hidden), updated_at = now()
  RETURNING machine_id, id, xmax = 0 AS created
),
extended AS (
  UPDATE volume_contracts SET ends_at = to_timestamp($4)
  WHERE machine_id = ANY($1::int[]) AND ended_at IS NULL AND ends_at > now() AND ends_at < to_timestamp($4) AND price_disk >= $3
  RETURNING machine_id
)
SELECT
  machine_id, id AS listing_id, created,
  (SELECT count(*)::int FROM extended WHERE extended.machine_id = listed.machine_id) AS extended
FROM listed
