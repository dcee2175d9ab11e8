-- name: book
-- GPUs of one slot by GPU name, state and price (billionths of a dollar), ascending. Available GPUs count on machines with at least per_machine of them.
-- If own is 1, the price of rented GPUs is NULL in cells with too few machines or hosts.
-- Parameters: names Array(String), the filters, by_memory Bool (false: gpu_memory is 0), own UInt8, per_machine UInt32, slot (unix seconds).
SELECT
  gpu_name, memory AS gpu_memory, rented,
  if(NOT rented OR {own:UInt8} = 0 OR is_enough, reinterpretAsInt64(seen.price), NULL) AS price,
  sum(gpus) AS gpus
FROM (
  SELECT
    gpu_name, {by_memory:Bool} ? gpu_memory : 0 AS memory, price, rented, gpus,
    sumIf(gpus, NOT rented) OVER (PARTITION BY gpu_name, machine_id) AS free
  FROM observations
  WHERE gpu_name IN {names:Array(String)} AND slot = toDateTime({slot:UInt32}, 'UTC')
    AND {{filter_machines}}
) AS seen
LEFT JOIN (
  SELECT gpu_name, {by_memory:Bool} ? gpu_memory : 0 AS memory, {{enough_rented}} AS is_enough
  FROM observations
  WHERE gpu_name IN {names:Array(String)} AND slot = toDateTime({slot:UInt32}, 'UTC')
    AND {{filter_machines}}
  GROUP BY gpu_name, memory
) AS cells USING (gpu_name, memory)
WHERE rented OR free >= {per_machine:UInt32}
GROUP BY gpu_name, memory, rented, price
ORDER BY gpu_name, price, gpu_memory

-- name: mean_asks
-- Available GPUs by GPU name, size of memory and price, ascending, summed over the slots of a range. Parameters and prices: as for asked_prices.
SELECT gpu_name, memory AS gpu_memory, rented, price, sum(gpus) AS gpus
FROM ({{asked_prices}})
WHERE NOT rented
GROUP BY gpu_name, gpu_memory, rented, price
ORDER BY gpu_name, price, gpu_memory

-- name: mean_book
-- GPUs by GPU name, state and price, ascending, summed over the slots of a range. Only GPU names in `shown` have prices of rented GPUs.
-- Parameters and prices: as for asked_prices, and shown Array(String).
SELECT gpu_name, 0 AS gpu_memory, rented, if(NOT rented OR gpu_name IN {shown:Array(String)}, b.price, NULL) AS price, sum(gpus) AS gpus
FROM ({{asked_prices}}) AS b
GROUP BY gpu_name, rented, price
ORDER BY gpu_name, price
