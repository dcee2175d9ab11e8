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
