-- Machines of an account with their listing and rented GPUs, by GPU and id. $1 account, $2 how many at most, $3 behind this id; 0: from the first,
-- $4 only this id; 0: all
SELECT
  m.id, m.gpu_name, m.num_gpus, m.gpu_ram, m.verification = 'verified' AS verified, m.hosting_type, m.online,
  l.price::float8 AS price, coalesce(h.gpus, 0) AS rented_gpus, h.price AS rented_price
FROM machines m
LEFT JOIN gpu_listings l ON l.machine_id = m.id AND l.ended_at IS NULL AND (l.expires_at IS NULL OR l.expires_at > rackrate_now())
LEFT JOIN LATERAL (
  SELECT count(*)::int AS gpus, avg(c.price)::float8 AS price
  FROM contracts c JOIN gpu_holds h ON h.contract_id = c.id
  WHERE c.machine_id = m.id AND c.ended_at IS NULL AND c.starts_at <= rackrate_now() AND (c.ends_at IS NULL OR c.ends_at > rackrate_now())
) h ON true
WHERE m.account_id = $1 AND m.removed_at IS NULL
  AND ($4::bigint = 0 OR m.id = $4)
  AND ($3::bigint = 0 OR (m.gpu_name, m.id) > (SELECT p.gpu_name, p.id FROM machines p WHERE p.id = $3 AND p.account_id = $1))
ORDER BY m.gpu_name, m.id
LIMIT $2
