-- name: machines
-- The machines of one slot by state. `is_listed`: PostgreSQL has the machine; ids of imports are separate. Parameters: slot.
SELECT
  machine_id, gpu_name, rented, verified, hosting_type = 'secure_cloud' AS datacenter, country AS country_code,
  source IN ('market', 'simulated') AS is_listed,
  sum(gpus) AS num_gpus
FROM observations
WHERE slot = toDateTime({slot:UInt32}, 'UTC')
GROUP BY ALL
