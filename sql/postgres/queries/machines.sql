-- name: own
-- Machines of an account with their listing and rentals, in the order of their ids. One letter of gpu_occupancy is one GPU: D on
-- demand, R reserved, I interruptible, x free. $1 account, $2 only this machine (or null), $3 only machines with a greater id, $4
-- the most machines
SELECT
  m.id, m.num_gpus, m.gpu_name, m.gpu_ram, m.disk_space, m.verification, m.geolocation, m.tflops AS total_flops, m.dlperf,
  l.id IS NOT NULL AS listed, l.price::float8 AS listed_gpu_cost, CASE WHEN m.online THEN 0 END AS timeout, m.hosting_type,
  extract(epoch FROM l.expires_at)::float8 AS end_date, l.min_bid::float8 AS min_bid_price, l.credit_discount_max::float8,
  l.storage_cost::float8 AS listed_storage_cost, l.inet_up_cost::float8 AS listed_inet_up_cost, l.inet_down_cost::float8 AS listed_inet_down_cost,
  m.reliability::float8 AS reliability2,
  (
    SELECT string_agg(CASE WHEN c.id IS NULL THEN 'x' WHEN c.rental_type = 'reserved' THEN 'R' WHEN c.rental_type = 'interruptible' THEN 'I' ELSE 'D' END, ' ' ORDER BY gpu)
    FROM generate_series(0, m.num_gpus - 1) AS gpu
    LEFT JOIN gpu_holds h ON h.machine_id = m.id AND h.gpu_index = gpu
    LEFT JOIN contracts c ON c.id = h.contract_id AND c.ended_at IS NULL AND c.starts_at <= rackrate_now() AND (c.ends_at IS NULL OR c.ends_at > rackrate_now())
  ) AS gpu_occupancy,
  r.running AS current_rentals_running, r.resident AS current_rentals_resident, r.on_demand AS current_rentals_on_demand,
  r.running_on_demand AS current_rentals_running_on_demand,
  (SELECT count(*)::int FROM machines o WHERE o.account_id = $1 AND o.removed_at IS NULL) AS total
FROM machines m
LEFT JOIN gpu_listings l ON l.machine_id = m.id AND l.ended_at IS NULL AND (l.expires_at IS NULL OR l.expires_at > rackrate_now())
CROSS JOIN LATERAL (
  SELECT
    count(*) FILTER (WHERE c.actual_status = 'running')::int AS running, count(*)::int AS resident,
    count(*) FILTER (WHERE c.rental_type IS DISTINCT FROM 'interruptible')::int AS on_demand,
    count(*) FILTER (WHERE c.rental_type IS DISTINCT FROM 'interruptible' AND c.actual_status = 'running')::int AS running_on_demand
  FROM contracts c
  WHERE c.machine_id = m.id AND c.ended_at IS NULL AND c.starts_at <= rackrate_now() AND (c.ends_at IS NULL OR c.ends_at > rackrate_now())
) r
WHERE m.account_id = $1 AND m.removed_at IS NULL AND m.id = coalesce($2, m.id) AND m.id > $3
ORDER BY m.id
LIMIT $4
