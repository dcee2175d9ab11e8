-- name: days
-- Machines of some GPU names on the market by day of [from, to), and their GPUs. Parameters: names Array(String), from, to (starts of days).
SELECT gpu_name, toUnixTimestamp(toDateTime(seen.day, 'UTC')) AS day, count() AS machines, sum(num_gpus) AS gpus
FROM machine_days AS seen FINAL
WHERE gpu_name IN {names:Array(String)}
  AND seen.day >= toDate(toDateTime({from:UInt32}, 'UTC')) AND seen.day < toDate(toDateTime({to:UInt32}, 'UTC'))
GROUP BY gpu_name, seen.day
ORDER BY gpu_name, seen.day

-- name: market_days
-- The published days of [from, to) on which the market has slots. Parameters: from, to (starts of days).
SELECT toUnixTimestamp(toDateTime(published.day, 'UTC')) AS day
FROM published_days AS published FINAL
WHERE print != 0
  AND published.day >= toDate(toDateTime({from:UInt32}, 'UTC')) AND published.day < toDate(toDateTime({to:UInt32}, 'UTC'))
ORDER BY published.day

-- name: spells
-- Spells of machines on the market within [from, to): from the first day on the market to the last, with less than seven days of
-- absence in between. Counted by first and last day (starts, unix seconds). Parameters: names Array(String), from, to (starts of
-- days).
SELECT
  gpu_name, toUnixTimestamp(toDateTime(first_day, 'UTC')) AS began, toUnixTimestamp(toDateTime(last_day, 'UTC')) AS ended,
  count() AS machines, sum(num_gpus) AS gpus
FROM (
  SELECT gpu_name, machine_id, num_gpus, spell, min(day) AS first_day, max(day) AS last_day
  FROM (
    SELECT gpu_name, machine_id, num_gpus, day, sum(is_new) OVER (PARTITION BY gpu_name, machine_id, num_gpus ORDER BY day) AS spell
    FROM (
      SELECT
        gpu_name, machine_id, num_gpus, day,
        day - lagInFrame(day) OVER (
          PARTITION BY gpu_name, machine_id, num_gpus ORDER BY day ROWS BETWEEN 1 PRECEDING AND CURRENT ROW
        ) > 7 AS is_new
      FROM machine_days FINAL
      WHERE gpu_name IN {names:Array(String)}
        AND machine_days.day >= toDate(toDateTime({from:UInt32}, 'UTC')) AND machine_days.day < toDate(toDateTime({to:UInt32}, 'UTC'))
    )
  )
  GROUP BY gpu_name, machine_id, num_gpus, spell
)
GROUP BY gpu_name, first_day, last_day
