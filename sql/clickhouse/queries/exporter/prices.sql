-- GPUs and prices of one slot per GPU name and class of machines, for the gauges of Prometheus. Percentiles as in the history. A row with
-- `any` pools both values. Classes are of verified, or of verified, datacenter and the GPUs of the machine. Parameters: slot.
SELECT
  gpu_name, class.1 AS verified, class.2 AS datacenter, class.3 AS gpu_count_range, rented_or_any AS rented, sum(gpus) AS gpu_count,
  arrayMap(p -> toFloat64(p), quantilesExactWeighted(0.1, 0.5, 0.9)(price, gpus)) AS prices
FROM (
  SELECT
    gpu_name, gpus, price,
    arrayJoin([(is_verified, 'any', 'any'), ('any', 'any', 'any'), (is_verified, is_datacenter, size)]) AS class,
    arrayJoin([is_rented, 'any']) AS rented_or_any
  FROM (
    SELECT
      gpu_name, toUInt64(gpus) AS gpus, price, if(verified, 'yes', 'no') AS is_verified, if(rented, 'yes', 'no') AS is_rented,
      if(hosting_type = 'secure_cloud', 'yes', 'no') AS is_datacenter, multiIf(num_gpus >= 8, '8+', num_gpus >= 4, '4-7', '1-3') AS size
    FROM observations
    WHERE slot = toDateTime({slot:UInt32}, 'UTC')
  )
)
GROUP BY gpu_name, class, rented
ORDER BY gpu_name, class, rented
