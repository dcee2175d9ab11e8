-- {{available_prices}}: the rows of the price histogram with the available GPUs that pass the filter, in [from, to). Parameters: names Array(String), the
-- filters, from, to (whole hours).
hour >= toDateTime({from:UInt32}, 'UTC') AND hour < toDateTime({to:UInt32}, 'UTC')
      AND NOT rented
      AND gpu_name IN {names:Array(String)}
      AND {{filter_machines}}

-- {{slots_of_hours}}: the number of slots of each hour in [from, to). Parameters: from, to (whole hours).
SELECT toStartOfHour(slot) AS bucket, uniqExact(slot) AS slots_of_hour
  FROM slots
  WHERE ready AND slot >= toDateTime({from:UInt32}, 'UTC') AND slot < toDateTime({to:UInt32}, 'UTC')
  GROUP BY bucket
