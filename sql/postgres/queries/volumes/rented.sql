-- The volumes that an account rents, in the order of their ids. $1 account
SELECT
  v.id, v.machine_id, v.size AS disk_space, v.price_disk::float8 AS storage_cost, extract(epoch FROM v.starts_at)::float8 AS start_date,
  extract(epoch FROM v.ends_at)::float8 AS end_date, m.verification, m.geolocation
FROM volume_contracts v JOIN machines m ON m.id = v.machine_id
WHERE v.account_id = $1 AND v.ended_at IS NULL AND v.ends_at > rackrate_now()
ORDER BY v.id
