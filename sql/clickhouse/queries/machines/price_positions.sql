-- Where some prices stand in the market of a slot: of the GPUs of the same name on machines that pass the filter, the share that is
-- available, or rented, for less. NULL: there are none, or hosts see no price of them. In a price bin GPUs are spread evenly.
-- One row per element of the arrays, in any order.
-- Parameters: ids Array(UInt64), names Array(String), prices Array(Float64); those of asked_at.
SELECT
  mine.1 AS id,
  arraySum(one -> if(one.1 < mine.3, one.2, 0), offers) / nullIf(arraySum(offers.2), 0) AS avail_percentile,
  arraySum(
    one -> one.3 * if(one.2 > one.1, greatest(0, least(1, (mine.3 - one.1) / (one.2 - one.1))), one.1 < mine.3), rentals
  ) / nullIf(arraySum(rentals.3), 0) AS rented_percentile
FROM (
  SELECT
    gpu_name,
    groupArrayIf((toFloat64(price), gpus), NOT rented) AS offers,
    groupArrayIf((low / 1e9, high / 1e9, gpus), rented AND low >= 0) AS rentals
  FROM asked_at(
    names = {names:Array(String)}, {{filter_arguments}},
    own = {own:UInt8}, slot = {slot:UInt32}
  )
  GROUP BY gpu_name
) AS market
ARRAY JOIN arrayFilter(one -> one.2 = gpu_name, arrayZip({ids:Array(UInt64)}, {names:Array(String)}, {prices:Array(Float64)})) AS mine
