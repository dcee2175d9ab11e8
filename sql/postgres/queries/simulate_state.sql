-- The simulated market as it stands: one row a machine, with its rentals as JSON [{contract, price, gpus}].
SELECT
  m.id, m.gpu_name, m.num_gpus, m.verification = 'verified' AS verified, m.hosting_type = 'secure_cloud' AS secure, m.online,
  l.price::float8 AS price,
  coalesce((
    SELECT jsonb_agg(jsonb_build_object('contract', c.id, 'price', c.price, 'gpus', held.gpus) ORDER BY c.id)
    FROM contracts c
    JOIN LATERAL (SELECT jsonb_agg(h.gpu_index ORDER BY h.gpu_index) AS gpus FROM gpu_holds h WHERE h.contract_id = c.id) held ON true
    WHERE c.machine_id = m.id AND c.ended_at IS NULL AND held.gpus IS NOT NULL
  ), '[]') AS rentals
FROM machines m
JOIN gpu_listings l ON l.machine_id = m.id AND l.ended_at IS NULL
WHERE m.removed_at IS NULL
ORDER BY m.id
