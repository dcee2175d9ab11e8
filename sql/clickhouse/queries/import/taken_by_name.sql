-- What an import would add, by GPU name: machines and GPUs are sums over the slots. Parameters: those of judged_rows.sql.
SELECT
  gpu_name, uniqExact(slot) AS slots, toUnixTimestamp(min(slot)) AS first, toUnixTimestamp(max(slot)) AS last,
  sum(machines) AS machines, sum(gpus) AS gpus, toFloat64(min(price)) AS lowest, toFloat64(max(price)) AS highest
FROM (
  $judged_rows
)
WHERE verdict = 'new'
GROUP BY gpu_name
ORDER BY gpu_name
