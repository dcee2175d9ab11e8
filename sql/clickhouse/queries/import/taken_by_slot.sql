-- What an import would add, by slot and GPU name. Parameters: those of judged_rows.sql, most.
SELECT
  toUnixTimestamp(slot) AS slot, gpu_name, sum(machines) AS machines, sum(gpus) AS gpus,
  toFloat64(min(price)) AS lowest, toFloat64(max(price)) AS highest
FROM (
  $judged_rows
)
WHERE verdict = 'new'
GROUP BY slot, gpu_name
ORDER BY slot, gpu_name
LIMIT {most:UInt32}
