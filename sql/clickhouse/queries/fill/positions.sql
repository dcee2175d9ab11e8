-- What happened in each price position: one row per GPU name and position. The variances are from hour to hour and class to class.
-- Parameters: names Array(String), the filters, from, to (whole hours).
SELECT
  gpu_name, position,
  {{fill_sums}},
  sum(withdrawn) AS withdrawn_gpus,
  min(price_low) AS lowest,
  max(price_high) AS highest
FROM flows FINAL
WHERE gpu_name IN {names:Array(String)}
  AND hour >= toDateTime({from:UInt32}, 'UTC') AND hour < toDateTime({to:UInt32}, 'UTC')
  AND {{filter_machines}}
GROUP BY gpu_name, position
ORDER BY gpu_name, position
