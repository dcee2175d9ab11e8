-- Computes the price histogram of the hours in [from, to). Parameters: from, to, revision; names (none: all) and step (3600), those of price_bins.
INSERT INTO price_histogram (hour, gpu_name, {{filter_columns}}, rented, price, gpus, bin, revision)
SELECT hour, gpu_name, {{filter_columns}}, rented, price, gpus, bin, {revision:UInt64}
FROM (
  SELECT toStartOfHour(slot) AS hour, gpu_name, {{filter_columns}}, rented, price, sum(gpus) AS gpus
  FROM observations
  WHERE slot >= toDateTime({from:UInt32}, 'UTC') AND slot < toDateTime({to:UInt32}, 'UTC')
  GROUP BY ALL
) AS sums
LEFT JOIN (
  SELECT toDateTime(bucket, 'UTC') AS hour, gpu_name, verified, true AS rented, price, bin
  FROM price_bins(names = {names:Array(String)}, from = {from:UInt32}, to = {to:UInt32}, step = {step:UInt32})
) AS bins USING (hour, gpu_name, verified, rented, price)
