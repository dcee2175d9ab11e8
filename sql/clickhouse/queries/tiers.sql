-- name: figures
-- Machines, occupancy and prices of GPU names by tier: counts of slot `newest`, the rest over all slots of the range. Parameters: names Array(String), the
-- filters, from, to, newest.
WITH
  toDateTime({newest:UInt32}, 'UTC') AS newest_slot,
  quantilesExactWeightedIf(0.1, 0.5, 0.9)(toFloat64(o.price), o.gpus, NOT o.rented) AS asks
SELECT
  gpu_name, tier,
  toUInt32(sumIf(o.machines, o.slot = newest_slot)) AS machines,
  toUInt32(sumIf(o.gpus, o.slot = newest_slot)) AS gpus,
  toUInt32(sumIf(o.gpus, o.slot = newest_slot AND o.rented)) AS rented_gpus,
  sumIf(o.gpus, o.rented) / sum(o.gpus) AS occupancy,
  if(countIf(o.rented) > 0, toFloat64(quantileExactWeightedIf(0.5)(o.price, o.gpus, o.rented)), NULL) AS rented_median,
  if(countIf(NOT o.rented) > 0, asks[1], NULL) AS avail_p10,
  if(countIf(NOT o.rented) > 0, asks[2], NULL) AS avail_median,
  if(countIf(NOT o.rented) > 0, asks[3], NULL) AS avail_p90
FROM observations AS o
WHERE gpu_name IN {names:Array(String)}
  AND {{filter_machines}}
  AND o.slot >= toDateTime({from:UInt32}, 'UTC') AND o.slot < toDateTime({to:UInt32}, 'UTC')
GROUP BY gpu_name, tier
