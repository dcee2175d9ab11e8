-- Every figure of the history, per step, filter, GPU name and bucket that [from, to) touches. A new figure is defined here; a price also in
-- queries/history/prices.sql, which computes one filter's prices.
-- Counts and performance are those of a single slot and are meant for step 1 only; prices pool everything seen in the bucket.
-- Percentiles are weighted by GPUs, nearest rank (the smallest price such that at least p of the weight is at or below it), and NULL when no
-- GPU is in that state. Sums over the slots of a bucket of whole hours begin with pooled_; in finer steps they are 0.
-- Columns of prices end in _pNN or _median: bucket_rows takes these and the sums from here, and the others from the cube.
-- Parameters: steps Array(UInt32); from, to UInt32 (seconds); hourly Bool: read price_histogram (whole-hour steps) instead of observations.
-- Several steps at once, since planning a statement takes longer than computing a bucket of a small market.
CREATE OR REPLACE VIEW /*!$database.*/figures/*!_local ON CLUSTER $cluster*/ AS
SELECT * EXCEPT (any_rented, any_avail, rented_prices, avail_prices)
FROM (
  SELECT
    step,
    CAST(verified_filter, 'Enum8(\'all\' = 0, \'yes\' = 1, \'no\' = 2)') AS verified,
    CAST(hosting_filter, 'Enum8(\'all\' = 0, \'community\' = 1, \'secure_cloud\' = 2)') AS hosting_type,
    num_gpus_filter AS num_gpus,
    gpu_name,
    bucket,
    toUInt32(rented_verified + avail_verified + rented_unverified + avail_unverified) AS total,
    toUInt32(avail_verified + avail_unverified) AS available,
    toUInt32(sumIf(machines, rented AND is_verified)) AS rented_verified,
    toUInt32(sumIf(machines, NOT rented AND is_verified)) AS avail_verified,
    toUInt32(sumIf(machines, rented AND NOT is_verified)) AS rented_unverified,
    toUInt32(sumIf(machines, NOT rented AND NOT is_verified)) AS avail_unverified,
    toUInt32(rented_verified_gpus + avail_verified_gpus + rented_unverified_gpus + avail_unverified_gpus) AS total_gpus,
    toUInt32(sumIf(gpus, rented AND is_verified)) AS rented_verified_gpus,
    toUInt32(sumIf(gpus, NOT rented AND is_verified)) AS avail_verified_gpus,
    toUInt32(sumIf(gpus, rented AND NOT is_verified)) AS rented_unverified_gpus,
    toUInt32(sumIf(gpus, NOT rented AND NOT is_verified)) AS avail_unverified_gpus,
    quantileExactWeighted(0.9)(tflops, gpus) AS tflops,
    quantileExactWeighted(0.9)(dlperf, gpus) AS dlperf,
    countIf(rented) AS any_rented,
    countIf(NOT rented) AS any_avail,
    quantilesExactWeightedIf(0.1, 0.5, 0.9)(price, gpus, rented) AS rented_prices,
    quantilesExactWeightedIf(0.1, 0.5, 0.9)(price, gpus, NOT rented) AS avail_prices,
    if(any_rented = 0, NULL, rented_prices[1]) AS rented_p10,
    if(any_rented = 0, NULL, rented_prices[2]) AS rented_median,
    if(any_rented = 0, NULL, rented_prices[3]) AS rented_p90,
    if(any_avail = 0, NULL, avail_prices[1]) AS avail_p10,
    if(any_avail = 0, NULL, avail_prices[2]) AS avail_median,
    if(any_avail = 0, NULL, avail_prices[3]) AS avail_p90,
    sumIf(gpus, is_pooled) AS pooled_gpus,
    sumIf(gpus, is_pooled AND rented) AS pooled_rented_gpus,
    sumIf(toDecimal128(price, 9) * gpus, is_pooled AND rented) AS pooled_value
  FROM (
    SELECT
      step, bucket, gpu_name, is_verified, rented, price, gpus, machines, tflops, dlperf,
      step % 3600 = 0 AS is_pooled,
      arrayJoin([0, if(is_verified, 1, 2)]) AS verified_filter,
      arrayJoin(arrayDistinct([0, toInt8(hosting)])) AS hosting_filter,
      arrayJoin([toUInt16(0), rig]) AS num_gpus_filter
    FROM (
      SELECT
        toUInt32(1) AS step, slot AS bucket, gpu_name, num_gpus AS rig, verified AS is_verified, hosting_type AS hosting, rented, price,
        toUInt64(gpus) AS gpus, machines, tflops, dlperf
      FROM /*!$database.*/observations/*!_local*/
      WHERE {steps:Array(UInt32)} = [1] AND slot >= toDateTime({from:UInt32}, 'UTC') AND slot < toDateTime({to:UInt32}, 'UTC')
      UNION ALL
      SELECT step, bucket, gpu_name, rig, is_verified, hosting, rented, price, sum(gpus), 0, NULL, NULL
      FROM (
        SELECT
          arrayJoin(arrayFilter(
            step -> time >= intDiv({from:UInt32}, step) * step AND time < intDiv({to:UInt32} + step - 1, step) * step,
            {steps:Array(UInt32)}
          )) AS step,
          toDateTime(intDiv(time, step) * step, 'UTC') AS bucket,
          gpu_name, rig, is_verified, hosting, rented, price, gpus
        FROM (
          SELECT
            toUnixTimestamp(slot) AS time,
            gpu_name, num_gpus AS rig, verified AS is_verified, hosting_type AS hosting, rented, price, toUInt64(gpus) AS gpus
          FROM /*!$database.*/observations/*!_local*/
          WHERE {steps:Array(UInt32)} != [1] AND NOT {hourly:Bool}
            AND slot >= toDateTime(arrayMin(step -> intDiv({from:UInt32}, step) * step, {steps:Array(UInt32)}), 'UTC')
            AND slot < toDateTime(arrayMax(step -> intDiv({to:UInt32} + step - 1, step) * step, {steps:Array(UInt32)}), 'UTC')
          UNION ALL
          SELECT
            toUnixTimestamp(hour) AS time,
            gpu_name, num_gpus AS rig, verified AS is_verified, hosting_type AS hosting, rented, price, gpus
          FROM /*!$database.*/price_histogram/*!_local*/ FINAL
          WHERE {hourly:Bool}
            AND hour >= toDateTime(arrayMin(step -> intDiv({from:UInt32}, step) * step, {steps:Array(UInt32)}), 'UTC')
            AND hour < toDateTime(arrayMax(step -> intDiv({to:UInt32} + step - 1, step) * step, {steps:Array(UInt32)}), 'UTC')
        )
      )
      GROUP BY step, bucket, gpu_name, rig, is_verified, hosting, rented, price
    )
  )
  GROUP BY step, gpu_name, bucket, verified_filter, hosting_filter, num_gpus_filter
)
