-- Keys of price steps that differ from the observations of [from, to): changed, missing or left over. Parameters: step, from, to (on the step).
SELECT DISTINCT
  {step:UInt32} AS step, if(verified, 'yes', 'no') AS verified, hosting_type, num_gpus, gpu_name, toUnixTimestamp(bucket) AS bucket
FROM (
  SELECT gpu_name, bucket, num_gpus, verified, hosting_type, rented, price, sum(found) AS surplus
  FROM (
    SELECT gpu_name, bucket, num_gpus, verified, hosting_type, rented, price, toInt64(gpus) AS found
    FROM price_steps FINAL
    WHERE step = {step:UInt32} AND bucket >= toDateTime({from:UInt32}, 'UTC') AND bucket < toDateTime({to:UInt32}, 'UTC')
    UNION ALL
    SELECT
      gpu_name, toDateTime(intDiv(toUnixTimestamp(slot), {step:UInt32}) * {step:UInt32}, 'UTC'),
      num_gpus, verified, hosting_type, rented, price, -toInt64(gpus)
    FROM observations
    WHERE slot >= toDateTime({from:UInt32}, 'UTC') AND slot < toDateTime({to:UInt32}, 'UTC')
  )
  GROUP BY gpu_name, bucket, num_gpus, verified, hosting_type, rented, price
  HAVING surplus != 0
)
ORDER BY ALL
