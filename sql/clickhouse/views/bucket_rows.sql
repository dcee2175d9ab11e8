-- The cube's rows of any step over the buckets that make up [from, to), which must begin and end on the step.
-- Counts are those of the bucket's last slot; percentiles pool every observation of the bucket.
-- Parameters: step, from, to UInt32 (seconds); hourly Bool: pool from price_histogram (whole-hour steps) instead of observations.
CREATE OR REPLACE VIEW /*!$database.*/bucket_rows/*!_local ON CLUSTER $cluster*/ AS
SELECT
  toUInt32({step:UInt32}) AS step, verified, hosting_type, num_gpus, gpu_name, bucket,
  rented_verified, avail_verified, rented_unverified, avail_unverified,
  rented_verified_gpus, avail_verified_gpus, rented_unverified_gpus, avail_unverified_gpus,
  tflops, dlperf,
  rented_p10, rented_median, rented_p90, avail_p10, avail_median, avail_p90
FROM (
  SELECT
    CAST(verified_filter, 'Enum8(\'all\' = 0, \'yes\' = 1, \'no\' = 2)') AS verified,
    CAST(hosting_filter, 'Enum8(\'all\' = 0, \'community\' = 1, \'secure_cloud\' = 2)') AS hosting_type,
    num_gpus_filter AS num_gpus,
    gpu_name,
    bucket,
    quantilesExactWeightedIf(0.1, 0.5, 0.9)(price, gpus, rented) AS rented_prices,
    quantilesExactWeightedIf(0.1, 0.5, 0.9)(price, gpus, NOT rented) AS avail_prices,
    countIf(rented) AS any_rented,
    countIf(NOT rented) AS any_avail,
    if(any_rented = 0, NULL, rented_prices[1]) AS rented_p10,
    if(any_rented = 0, NULL, rented_prices[2]) AS rented_median,
    if(any_rented = 0, NULL, rented_prices[3]) AS rented_p90,
    if(any_avail = 0, NULL, avail_prices[1]) AS avail_p10,
    if(any_avail = 0, NULL, avail_prices[2]) AS avail_median,
    if(any_avail = 0, NULL, avail_prices[3]) AS avail_p90
  FROM (
    SELECT
      bucket, gpu_name, rented, price, sum(gpus) AS gpus,
      arrayJoin([0, if(is_verified, 1, 2)]) AS verified_filter,
      arrayJoin(arrayDistinct([0, toInt8(hosting)])) AS hosting_filter,
      arrayJoin([toUInt16(0), rig]) AS num_gpus_filter
    FROM (
      SELECT
        toDateTime(intDiv(toUnixTimestamp(slot), {step:UInt32}) * {step:UInt32}, 'UTC') AS bucket,
        gpu_name, num_gpus AS rig, verified AS is_verified, hosting_type AS hosting, rented, price, toUInt64(gpus) AS gpus
      FROM /*!$database.*/observations/*!_local*/
      WHERE NOT {hourly:Bool} AND slot >= toDateTime({from:UInt32}, 'UTC') AND slot < toDateTime({to:UInt32}, 'UTC')
      UNION ALL
      SELECT
        toDateTime(intDiv(toUnixTimestamp(hour), {step:UInt32}) * {step:UInt32}, 'UTC') AS bucket,
        gpu_name, num_gpus AS rig, verified AS is_verified, hosting_type AS hosting, rented, price, gpus
      FROM /*!$database.*/price_histogram/*!_local*/ FINAL
      WHERE {hourly:Bool} AND hour >= toDateTime({from:UInt32}, 'UTC') AND hour < toDateTime({to:UInt32}, 'UTC')
    )
    GROUP BY bucket, gpu_name, rig, is_verified, hosting, rented, price
  )
  GROUP BY gpu_name, bucket, verified_filter, hosting_filter, num_gpus_filter
) AS prices
LEFT JOIN (
  SELECT
    verified, hosting_type, num_gpus, gpu_name,
    toDateTime(intDiv(toUnixTimestamp(slot_row.bucket), {step:UInt32}) * {step:UInt32}, 'UTC') AS bucket,
    rented_verified, avail_verified, rented_unverified, avail_unverified,
    rented_verified_gpus, avail_verified_gpus, rented_unverified_gpus, avail_unverified_gpus,
    tflops, dlperf
  FROM /*!$database.*/cube/*!_local*/ AS slot_row FINAL
  WHERE slot_row.step = 1
    AND slot_row.bucket IN (
      SELECT max(slot) FROM /*!$database.*/slots
      WHERE slot >= toDateTime({from:UInt32}, 'UTC') AND slot < toDateTime({to:UInt32}, 'UTC')
      GROUP BY intDiv(toUnixTimestamp(slot), {step:UInt32})
    )
) AS state USING (verified, hosting_type, num_gpus, gpu_name, bucket)
