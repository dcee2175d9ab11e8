-- Ends a volume listing of which nothing is rented. No row: some of it is rented. The machine is locked. $1 listing
UPDATE volume_listings l SET ended_at = rackrate_now(), updated_at = rackrate_now()
WHERE l.id = $1
  AND NOT EXISTS (SELECT FROM volume_contracts v WHERE v.listing_id = l.id AND v.ended_at IS NULL AND v.ends_at > rackrate_now())
RETURNING l.id
