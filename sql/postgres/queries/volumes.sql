-- name: end_expired
-- Marks volume listings as ended whose end has passed, so that a new one can replace them. $1 machines
UPDATE volume_listings SET ended_at = end_date
WHERE machine_id = ANY($1::int[]) AND ended_at IS NULL AND end_date <= rackrate_now()

-- name: listings
-- The live volume listings of a machine, as its owner sees them. A row without id: there are none. No row: the account has no such machine.
-- $1 account, $2 machine
SELECT
  l.id, m.id AS machine_id, m.account_id AS user_id, l.size, l.price_disk, l.hidden AS hidden_listing,
  extract(epoch FROM l.end_date)::float8 AS end_date, extract(epoch FROM l.created_at)::float8 AS created_at,
  coalesce((SELECT sum(v.size) FROM volume_contracts v WHERE v.listing_id = l.id AND v.ended_at IS NULL AND v.ends_at > rackrate_now()), 0)::int
    AS rented
FROM machines m
LEFT JOIN volume_listings l ON l.machine_id = m.id AND l.ended_at IS NULL AND l.end_date > rackrate_now()
WHERE m.account_id = $1 AND m.id = $2 AND m.removed_at IS NULL

-- name: lock_listing
-- Locks the machine of a live volume listing of an account. No row: the account has no such listing. $1 account, $2 listing
SELECT l.id
FROM volume_listings l JOIN machines m ON m.id = l.machine_id
WHERE m.account_id = $1 AND l.id = $2 AND m.removed_at IS NULL AND l.ended_at IS NULL AND l.end_date > rackrate_now()
FOR UPDATE OF m, l

-- name: machines
-- Machines of an account, locked until the transaction ends, with the GB of their active volume listing, its rented GB, and the
-- GB of the disk that a listing can offer: the part that neither an instance nor a volume of an earlier listing holds. $1
-- account, $2 machines
SELECT
  m.id, m.online, l.size AS listed_size,
  coalesce((SELECT sum(v.size) FROM volume_contracts v WHERE v.listing_id = l.id AND v.ended_at IS NULL AND v.ends_at > rackrate_now()), 0)::int
    AS rented,
  m.disk_space
    - coalesce((SELECT sum(c.disk_space) FROM contracts c
                WHERE c.machine_id = m.id AND c.ended_at IS NULL AND (c.ends_at IS NULL OR c.ends_at > rackrate_now())), 0)
    - coalesce((SELECT sum(v.size) FROM volume_contracts v
                WHERE v.machine_id = m.id AND v.listing_id IS DISTINCT FROM l.id AND v.ended_at IS NULL AND v.ends_at > rackrate_now()), 0)
    AS free
FROM machines m
LEFT JOIN volume_listings l ON l.machine_id = m.id AND l.ended_at IS NULL AND l.end_date > rackrate_now()
WHERE m.account_id = $1 AND m.id = ANY($2::int[]) AND m.removed_at IS NULL
ORDER BY m.id
FOR UPDATE OF m

-- name: rented
-- The volumes that an account rents, in the order of their ids. $1 account
SELECT
  v.id, v.machine_id, v.size AS disk_space, v.price_disk::float8 AS storage_cost, extract(epoch FROM v.starts_at)::float8 AS start_date,
  extract(epoch FROM v.ends_at)::float8 AS end_date, m.verification, m.geolocation
FROM volume_contracts v JOIN machines m ON m.id = v.machine_id
WHERE v.account_id = $1 AND v.ended_at IS NULL AND v.ends_at > rackrate_now()
ORDER BY v.id

-- name: save
-- Creates or updates the volume listing of each machine, and extends running contracts to a given later end if that does not
-- raise their price. $1 machines. Given or null: $2 GB, $3 USD per GB and month, $4 end (unix seconds), $5 hidden. For new
-- listings, if not given: $6 GB, $7 USD per GB and month, $8 end (unix seconds)
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

-- name: search
-- The results of a search for volume listings, as JSON objects: not hidden, on machines that are online, with free space.
-- storage_total_cost is for $5 GB. $1 filters, $2 column to sort by, $3 descending, $4 the most rows, $5 GB
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

-- name: unlist
-- Ends a volume listing without rentals. No row: some of it is rented. The machine is locked. $1 listing
UPDATE volume_listings l SET ended_at = rackrate_now(), updated_at = rackrate_now()
WHERE l.id = $1
  AND NOT EXISTS (SELECT FROM volume_contracts v WHERE v.listing_id = l.id AND v.ended_at IS NULL AND v.ends_at > rackrate_now())
RETURNING l.id
