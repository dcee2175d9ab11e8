-- name: gpus
-- Memory and performance of each GPU name in one slot; null: not known. Performance is the 90th percentile, as in the history. Parameters: slot.
SELECT
  gpu_name, ceil(max(gpu_ram) / 1024) AS vram, quantileExactWeighted(0.9)(tflops, toUInt64(gpus)) AS tflops,
  quantileExactWeighted(0.9)(dlperf, toUInt64(gpus)) AS dlperf
FROM observations
WHERE slot = toDateTime({slot:UInt32}, 'UTC')
GROUP BY gpu_name
ORDER BY gpu_name

-- name: per_dlperf
-- Price of 100 points of the deep-learning score in one slot, over all GPU names with a known score. `any` pools both values. Prices of few rented
-- GPUs are NULL. Parameters: own, slot.
SELECT
  verified_or_any AS verified, rented_or_any,
  if({own:UInt8} = 0 OR countIf(rented) = 0 OR {{enough_rented}}, quantilesExactWeighted(0.1, 0.5, 0.9)(cost, gpus), []) AS prices
FROM (
  SELECT
    machine_id, host_id, rented, toUInt64(gpus) AS gpus, 100 * toFloat64(price) / dlperf AS cost,
    arrayJoin([if(o.verified, 'yes', 'no'), 'any']) AS verified_or_any, arrayJoin([if(o.rented, 'yes', 'no'), 'any']) AS rented_or_any
  FROM observations AS o
  WHERE slot = toDateTime({slot:UInt32}, 'UTC') AND dlperf > 0
)
GROUP BY verified, rented_or_any

-- name: prices
-- GPUs and prices of one slot per GPU name and class of machines, for the gauges of Prometheus. Percentiles as in the history. A row with
-- `any` pools both values. A class is a value of verified, or of verified, datacenter and the GPUs of the machine. Prices of few rented GPUs are
-- NULL. Parameters: own, slot.
SELECT
  gpu_name, class.1 AS verified, class.2 AS datacenter, class.3 AS gpu_count_range, rented_or_any, sum(gpus) AS gpu_count,
  if(
    {own:UInt8} = 0 OR countIf(rented) = 0 OR {{enough_rented}},
    arrayMap(p -> toFloat64(p), quantilesExactWeighted(0.1, 0.5, 0.9)(price, gpus)), []
  ) AS prices
FROM (
  SELECT
    gpu_name, gpus, price, machine_id, host_id, rented,
    arrayJoin([(is_verified, 'any', 'any'), ('any', 'any', 'any'), (is_verified, is_datacenter, size)]) AS class,
    arrayJoin([is_rented, 'any']) AS rented_or_any
  FROM (
    SELECT
      gpu_name, machine_id, host_id, rented, toUInt64(gpus) AS gpus, price, if(verified, 'yes', 'no') AS is_verified, if(rented, 'yes', 'no') AS is_rented,
      if({{is_datacenter}}, 'yes', 'no') AS is_datacenter, multiIf(num_gpus >= 8, '8+', num_gpus >= 4, '4-7', '1-3') AS size
    FROM observations
    WHERE slot = toDateTime({slot:UInt32}, 'UTC')
  )
)
GROUP BY gpu_name, class, rented_or_any
ORDER BY gpu_name, class, rented_or_any
