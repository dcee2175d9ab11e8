-- The living machines of a simulated market: one row a machine, with its rentals as JSON [{contract, price, type, gpus}].
-- Machines of other accounts are left out.
WITH held AS (
  SELECT contract_id, jsonb_agg(gpu_index ORDER BY gpu_index) AS gpus FROM gpu_holds GROUP BY contract_id
),
rentals AS (
  SELECT
    c.machine_id,
    jsonb_agg(
      jsonb_build_object('contract', c.id, 'price', c.price, 'type', coalesce(c.rental_type, 'unknown'), 'gpus', held.gpus)
      ORDER BY c.id
    ) AS rentals
  FROM contracts c JOIN held ON held.contract_id = c.id
  WHERE c.ended_at IS NULL
  GROUP BY c.machine_id
)
SELECT
  m.id, m.gpu_name, m.num_gpus, m.verification, m.hosting_type = 'secure_cloud' AS secure, m.online,
  a.email LIKE 'host-%' AS may_leave, l.storage_cost IS NOT NULL AS has_terms, l.price::float8 AS price, coalesce(r.rentals, '[]') AS rentals
FROM machines m
JOIN accounts a ON a.id = m.account_id AND a.email LIKE '%@demo.invalid'
JOIN gpu_listings l ON l.machine_id = m.id AND l.ended_at IS NULL
LEFT JOIN rentals r ON r.machine_id = m.id
WHERE m.removed_at IS NULL
ORDER BY m.id
