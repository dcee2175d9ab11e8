-- The cube's rows of step 1: each slot of [from, to) by itself, out of the observations.
-- Percentiles are weighted by GPUs, nearest rank (the smallest price such that at least p of the weight is at or below it).
-- Parameters: from UInt32, to UInt32 (unix seconds).
CREATE OR REPLACE VIEW /*!$database.*/slot_rows/*!_local ON CLUSTER $cluster*/ AS
SELECT * EXCEPT (rented_prices, avail_prices)
FROM (
  SELECT
    toUInt32(1) AS step,
    CAST(verified_filter, 'Enum8(\'all\' = 0, \'yes\' = 1, \'no\' = 2)') AS verified,
    CAST(hosting_filter, 'Enum8(\'all\' = 0, \'community\' = 1, \'secure_cloud\' = 2)') AS hosting_type,
    num_gpus_filter AS num_gpus,
    gpu_name,
    slot AS bucket,
    toUInt32(sumIf(machines, rented AND is_verified)) AS rented_verified,
    toUInt32(sumIf(machines, NOT rented AND is_verified)) AS avail_verified,
    toUInt32(sumIf(machines, rented AND NOT is_verified)) AS rented_unverified,
    toUInt32(sumIf(machines, NOT rented AND NOT is_verified)) AS avail_unverified,
    toUInt32(sumIf(gpus, rented AND is_verified)) AS rented_verified_gpus,
    toUInt32(sumIf(gpus, NOT rented AND is_verified)) AS avail_verified_gpus,
    toUInt32(sumIf(gpus, rented AND NOT is_verified)) AS rented_unverified_gpus,
    toUInt32(sumIf(gpus, NOT rented AND NOT is_verified)) AS avail_unverified_gpus,
    quantileExactWeighted(0.9)(tflops, gpus) AS tflops,
    quantileExactWeighted(0.9)(dlperf, gpus) AS dlperf,
    quantilesExactWeightedIf(0.1, 0.5, 0.9)(price, gpus, rented) AS rented_prices,
    quantilesExactWeightedIf(0.1, 0.5, 0.9)(price, gpus, NOT rented) AS avail_prices,
    if(rented_verified_gpus + rented_unverified_gpus = 0, NULL, rented_prices[1]) AS rented_p10,
    if(rented_verified_gpus + rented_unverified_gpus = 0, NULL, rented_prices[2]) AS rented_median,
    if(rented_verified_gpus + rented_unverified_gpus = 0, NULL, rented_prices[3]) AS rented_p90,
    if(avail_verified_gpus + avail_unverified_gpus = 0, NULL, avail_prices[1]) AS avail_p10,
    if(avail_verified_gpus + avail_unverified_gpus = 0, NULL, avail_prices[2]) AS avail_median,
    if(avail_verified_gpus + avail_unverified_gpus = 0, NULL, avail_prices[3]) AS avail_p90
  FROM (
    SELECT
      slot, gpu_name, machines, gpus, rented, verified AS is_verified, price, tflops, dlperf,
      arrayJoin([0, if(verified, 1, 2)]) AS verified_filter,
      arrayJoin(arrayDistinct([0, toInt8(hosting_type)])) AS hosting_filter,
      arrayJoin([toUInt16(0), num_gpus]) AS num_gpus_filter
    FROM /*!$database.*/observations/*!_local*/
    WHERE slot >= toDateTime({from:UInt32}, 'UTC') AND slot < toDateTime({to:UInt32}, 'UTC')
  )
  GROUP BY gpu_name, slot, verified_filter, hosting_filter, num_gpus_filter
)
