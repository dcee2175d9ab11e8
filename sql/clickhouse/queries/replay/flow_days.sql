-- What happened to the machines of a GPU name, or without a name to those of all names together, by day, class and price position: sums over the
-- hours of the counts, of their squares, and of the products that variances are made of (machines/class_flows).
-- Parameters: name String, from, to (days in UTC).
SELECT
  toUnixTimestamp(toStartOfDay(hour)) AS day,
  {name:String} AS gpu_name, if({name:String} = '', 0, flows.gpu_memory) AS gpu_memory, {{class_columns}}, position,
  sum(flows.exposure) AS exposed_seconds,
  sum(flows.rentals) AS rented_gpus,
  sum(flows.held) AS held_seconds,
  sum(flows.returns) AS returned_gpus,
  sum(toFloat64(flows.exposure) * flows.exposure) AS exposed_squares,
  sum(toFloat64(flows.rentals) * flows.rentals) AS rented_squares,
  sum(toFloat64(flows.held) * flows.held) AS held_squares,
  sum(toFloat64(flows.returns) * flows.returns) AS returned_squares,
  sum(toFloat64(flows.rentals) * flows.exposure) AS rented_products,
  sum(toFloat64(flows.returns) * flows.held) AS returned_products
FROM flows FINAL
WHERE ({name:String} = '' OR flows.gpu_name = {name:String})
  AND hour >= toDateTime({from:UInt32}, 'UTC') AND hour < toDateTime({to:UInt32}, 'UTC')
GROUP BY day, gpu_memory, {{class_columns}}, position
