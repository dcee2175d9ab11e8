-- Machines of an account, locked until the transaction ends, with the GB of their live volume listing, how much of it is rented, and how much
-- of the disk a listing can offer: what neither an instance nor a volume of an earlier listing holds. $1 account, $2 machines
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
