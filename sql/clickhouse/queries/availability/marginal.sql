-- The lowest price at which so many GPUs were available, on average over the slots of the hour, per GPU name and hour. Hours without such a
-- price have no row. Parameters: names Array(String), verified, hosting_type, num_gpus, from, to (whole hours), gpus.
SELECT
  gpu_name,
  arrayFirstIndex(offered -> offered >= {gpus:UInt32} * slots_of_hour, arrayCumSum(book.2)) AS enough,
  book.1[enough] AS price
FROM (
  SELECT gpu_name, bucket, arraySort(groupArray((price, gpus))) AS book
  FROM asked_prices(
    names = {names:Array(String)}, verified = {verified:String}, hosting_type = {hosting_type:String}, num_gpus = {num_gpus:UInt16},
    stored_step = 3600, from = {from:UInt32}, to = {to:UInt32}
  )
  WHERE NOT rented
  GROUP BY gpu_name, bucket
) AS books
INNER JOIN (
  SELECT toStartOfHour(slot) AS bucket, uniqExact(slot) AS slots_of_hour
  FROM slots
  WHERE ready AND slot >= toDateTime({from:UInt32}, 'UTC') AND slot < toDateTime({to:UInt32}, 'UTC')
  GROUP BY bucket
) AS market USING (bucket)
WHERE enough > 0
