-- name: book
-- GPUs of one slot by GPU name, state and price, ascending. Available GPUs count on machines with at least per_machine of them. `low` and `high` are the
-- prices that hosts see, as in fragments/asked_prices.sql: rented GPUs are in the bins of the hour.
-- Parameters: names Array(String), the filters, by_memory Bool: by size of memory, too (else 0), own UInt8, per_machine UInt32, slot (unix seconds).
SELECT gpu_name, {by_memory:Bool} ? memory : 0 AS gpu_memory, rented, low, high, sum(gpus) AS gpus
FROM (
  SELECT
    gpu_name, gpu_memory AS memory, rented, gpus, free,
    multiIf(NOT rented OR {own:UInt8} = 0 OR bin = 1, 1, bin != 0 AND {{filter_unsplit}}, bin, 255) AS shown,
    {{price_range}}
  FROM (
    SELECT
      gpu_name, gpu_memory, verified, price, rented, gpus,
      sumIf(gpus, NOT rented) OVER (PARTITION BY gpu_name, machine_id) AS free
    FROM observations
    WHERE gpu_name IN {names:Array(String)} AND slot = toDateTime({slot:UInt32}, 'UTC')
      AND {{filter_machines}}
  ) AS seen
  LEFT JOIN (
    SELECT gpu_name, gpu_memory, verified, rented, price, any(bin) AS bin
    FROM price_histogram FINAL
    WHERE rented AND gpu_name IN {names:Array(String)} AND hour = toStartOfHour(toDateTime({slot:UInt32}, 'UTC'))
    GROUP BY gpu_name, gpu_memory, verified, rented, price
  ) AS bins USING (gpu_name, gpu_memory, verified, rented, price)
)
WHERE rented OR free >= {per_machine:UInt32}
GROUP BY gpu_name, gpu_memory, rented, low, high
ORDER BY gpu_name, low, high, gpu_memory

-- name: mean_book
-- GPUs by GPU name, state and price, ascending, summed over the slots of a range. Parameters and prices: those of asked_prices, and by_memory Bool: by
-- size of memory, too (else 0).
SELECT gpu_name, {by_memory:Bool} ? memory : 0 AS gpu_memory, rented, low, high, sum(gpus) AS gpus
FROM ({{asked_prices}})
GROUP BY gpu_name, gpu_memory, rented, low, high
ORDER BY gpu_name, low, high, gpu_memory
