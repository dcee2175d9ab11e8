-- name: books
-- The book of a GPU name in each hour: its prices, cheapest first, and the GPUs available at each, summed over the slots of the
-- hour, for all machines and for a class. If the name has several sizes of memory, only the size of the class counts
-- (contract/market-filter.ts, ofProduct). Parameters: name String, as for one_class, gpu_memory, from, to (whole hours).
SELECT toUnixTimestamp(hour) AS hour, groupArray(price) AS prices, groupArray(gpus) AS gpus, groupArray(of_class) AS class_gpus
FROM (
  SELECT
    hour, toFloat64(price) AS price, sum(sized.gpus) AS gpus,
    sumIf(sized.gpus, {{one_class}}) AS of_class
  FROM (
    SELECT *, max(gpu_memory NOT IN (0, {gpu_memory:UInt16})) OVER () AS is_mixed
    FROM price_histogram FINAL
    WHERE hour >= toDateTime({from:UInt32}, 'UTC') AND hour < toDateTime({to:UInt32}, 'UTC') AND gpu_name = {name:String} AND NOT rented
  ) AS sized
  WHERE NOT is_mixed OR {gpu_memory:UInt16} IN (0, gpu_memory)
  GROUP BY hour, price
  ORDER BY hour, price
)
GROUP BY hour
ORDER BY hour

-- name: flow_days
-- Flows of the machines of a GPU name, or without a name of all machines together, by day, class and price position: sums over
-- the hours of the counts, of their squares, of the products for variances (machines/class_flows), and of the gaps between two
-- sights. Parameters: name String, from, to (days in UTC).
SELECT
  toUnixTimestamp(toStartOfDay(hour)) AS day,
  {name:String} AS gpu_name, if({name:String} = '', 0, flows.gpu_memory) AS gpu_memory, {{class_columns}}, position,
  sum(flows.exposure) AS exposed_seconds,
  sum(flows.rentals) AS rented_gpus,
  sum(flows.held) AS held_seconds,
  sum(flows.returns) AS returned_gpus,
  sum(toFloat64(flows.exposure) * flows.exposure) AS exposed_squares,
  sum(toFloat64(flows.rentals) * flows.rentals) AS rented_squares,
  sum(toFloat64(flows.held) * flows.held) AS held_squares,
  sum(toFloat64(flows.returns) * flows.returns) AS returned_squares,
  sum(toFloat64(flows.rentals) * flows.exposure) AS rented_products,
  sum(toFloat64(flows.returns) * flows.held) AS returned_products,
  toFloat64(sum(flows.exposure_gap)) AS exposed_gap,
  toFloat64(sum(flows.held_gap)) AS kept_gap,
  toFloat64(sum(flows.mixed_gap)) AS both_gap,
  toFloat64(sum(flows.mixed_rentals)) AS both_rented,
  toFloat64(sum(flows.mixed_returns)) AS both_returned
FROM flows FINAL
WHERE ({name:String} = '' OR flows.gpu_name = {name:String})
  AND hour >= toDateTime({from:UInt32}, 'UTC') AND hour < toDateTime({to:UInt32}, 'UTC')
GROUP BY day, gpu_memory, {{class_columns}}, position

-- name: own_hours
-- One machine in each hour with observations of it: money, rented GPUs, and its GPUs available at each price, all summed over the
-- slots; the slots at which part of it was available, or all was rented; its first asking price, and the rentals of its first
-- slot. Parameters: id UInt64, name String, num_gpus UInt16, from, to (unix seconds, whole hours).
SELECT
  toUnixTimestamp(toStartOfHour(toDateTime(slot, 'UTC'))) AS hour,
  toFloat64(sum(paid)) AS value,
  sum(busy) AS rented_gpus,
  if(countIf(free > 0) = 0, NULL, argMinIf(asks[1].1, slot, free > 0)) AS first_ask,
  countIf(free > 0 OR busy >= {num_gpus:UInt16}) AS online_slots,
  sumMap(arrayMap(one -> one.1, asks), arrayMap(one -> toUInt64(one.2), asks)) AS offered,
  argMin(rentals, slot) AS first_rentals
FROM (
  SELECT
    toUnixTimestamp(seen.slot) AS slot,
    sumIf(toDecimal128(price, 9) * gpus, rented) AS paid,
    sumIf(gpus, rented) AS busy,
    sumIf(gpus, NOT rented) AS free,
    groupArrayIf((toFloat64(price), gpus), NOT rented) AS asks,
    groupArrayIf((toFloat64(price), gpus), rented) AS rentals
  FROM observations AS seen
  WHERE gpu_name = {name:String} AND machine_id = {id:UInt64} AND num_gpus = {num_gpus:UInt16}
    AND seen.slot >= toDateTime({from:UInt32}, 'UTC') AND seen.slot < toDateTime({to:UInt32}, 'UTC')
  GROUP BY seen.slot
)
GROUP BY hour
ORDER BY hour
