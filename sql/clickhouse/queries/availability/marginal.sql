-- The lowest price at which so many GPUs were available, on average over the slots of the hour, per GPU name and hour. Hours without such a
-- price have no row. Parameters: names Array(String), verified, hosting_type, num_gpus, from, to (whole hours), gpus.
SELECT gpu_name, min(book.price) AS price
FROM (
  SELECT gpu_name, hour, price, sum(sum(gpus)) OVER (PARTITION BY gpu_name, hour ORDER BY price) AS offered
  FROM price_histogram FINAL
  WHERE gpu_name IN {names:Array(String)} AND NOT rented
    AND hour >= toDateTime({from:UInt32}, 'UTC') AND hour < toDateTime({to:UInt32}, 'UTC')
    AND ({verified:String} = 'all' OR verified = ({verified:String} = 'yes'))
    AND ({hosting_type:String} = 'all' OR hosting_type = {hosting_type:String})
    AND ({num_gpus:UInt16} = 0 OR num_gpus = {num_gpus:UInt16})
  GROUP BY gpu_name, hour, price
) AS book
INNER JOIN (
  SELECT toStartOfHour(slot) AS hour, uniqExact(slot) AS slots_of_hour
  FROM slots
  WHERE ready AND slot >= toDateTime({from:UInt32}, 'UTC') AND slot < toDateTime({to:UInt32}, 'UTC')
  GROUP BY hour
) AS market USING (hour)
WHERE offered >= {gpus:UInt32} * slots_of_hour
GROUP BY gpu_name, hour
