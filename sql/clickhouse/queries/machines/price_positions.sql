-- Where some prices stand in the market of a slot: of the GPUs of the same name on machines that pass the filter, the share that is
-- available, or rented, for less. NULL: there are none. One row per element of the arrays, in any order.
-- Parameters: ids Array(UInt32), names Array(String), prices Array(Float64), verified, hosting_type String, num_gpus UInt16, slot UInt32.
SELECT
  own.1 AS id,
  sumIf(gpus, NOT rented AND price < own.3) / nullIf(sumIf(gpus, NOT rented), 0) AS avail_percentile,
  sumIf(gpus, rented AND price < own.3) / nullIf(sumIf(gpus, rented), 0) AS rented_percentile
FROM (
  SELECT arrayJoin(arrayZip({ids:Array(UInt32)}, {names:Array(String)}, {prices:Array(Float64)})) AS own, own.2 AS gpu_name
) AS asked
INNER JOIN (
  SELECT gpu_name, rented, toFloat64(price) AS price, gpus
  FROM observations
  WHERE gpu_name IN {names:Array(String)} AND slot = toDateTime({slot:UInt32}, 'UTC')
    AND ({verified:String} = 'all' OR verified = ({verified:String} = 'yes'))
    AND ({hosting_type:String} = 'all' OR hosting_type = {hosting_type:String})
    AND ({num_gpus:UInt16} = 0 OR num_gpus = {num_gpus:UInt16})
) AS market USING (gpu_name)
GROUP BY id
