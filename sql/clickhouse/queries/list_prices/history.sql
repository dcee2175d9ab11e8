-- The lowest price of each GPU name, provider, kind and size of memory at the end of each bucket of a range: an offer counts from its row until its next one.
-- Parameters: names, from and to (unix seconds, multiples of step), step.
SELECT gpu_name, catalog, provider, spot, gpu_memory, point, toFloat64(min(asked)) AS price
FROM (
  SELECT
    gpu_name, catalog, provider, spot, gpu_memory, price AS asked, toUnixTimestamp(time) AS begins,
    leadInFrame(toUnixTimestamp(time), 1, 4294967295) OVER (
      PARTITION BY gpu_name, catalog, provider, spot, region, instance_name, gpus, gpu_memory, listed_name
      ORDER BY time ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING
    ) AS ends
  FROM list_prices FINAL
  WHERE gpu_name IN {names:Array(String)} AND toUnixTimestamp(time) < {to:UInt32}
)
ARRAY JOIN range(
  greatest(toInt64({from:UInt32}), toInt64(intDiv(begins, {step:UInt32})) * {step:UInt32}),
  least(toInt64({to:UInt32}), toInt64(ends) + 1 - {step:UInt32}),
  toInt64({step:UInt32})
) AS point
WHERE asked IS NOT NULL
GROUP BY gpu_name, catalog, provider, spot, gpu_memory, point
ORDER BY gpu_name, catalog, provider, spot, point, price DESC
