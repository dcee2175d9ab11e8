-- Where some prices stand in the market of a slot: of the GPUs of the same name on machines that pass the filter, the share that is
-- available, or rented, for less. NULL: there are none. One row per element of the arrays, in any order.
-- Parameters: ids Array(UInt64), names Array(String), prices Array(Float64), verified, hosting_type String, num_gpus UInt16, slot UInt32.
SELECT
  own.1 AS id,
  arraySum(one -> if(one.1 < own.3, one.2, 0), offers) / nullIf(arraySum(offers.2), 0) AS avail_percentile,
  arraySum(one -> if(one.1 < own.3, one.2, 0), rentals) / nullIf(arraySum(rentals.2), 0) AS rented_percentile
FROM (
  SELECT
    gpu_name,
    groupArrayIf((toFloat64(price), gpus), NOT rented) AS offers,
    groupArrayIf((toFloat64(price), gpus), rented) AS rentals
  FROM observations
  WHERE gpu_name IN {names:Array(String)} AND slot = toDateTime({slot:UInt32}, 'UTC')
    AND ({verified:String} = 'all' OR verified = ({verified:String} = 'yes'))
    AND ({hosting_type:String} = 'all' OR hosting_type = {hosting_type:String})
    AND ({num_gpus:UInt16} = 0 OR num_gpus = {num_gpus:UInt16})
  GROUP BY gpu_name
) AS market
ARRAY JOIN arrayFilter(own -> own.2 = gpu_name, arrayZip({ids:Array(UInt64)}, {names:Array(String)}, {prices:Array(Float64)})) AS own
