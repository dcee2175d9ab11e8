-- The cube's rows of any step over the buckets that make up [from, to), which must begin and end on the step. Prices and sums pool the
-- bucket; all else is taken from the cube's row of the bucket's last slot.
-- Parameters: step, from, to UInt32 (seconds); hourly Bool: pool from price_histogram (whole-hour steps) instead of observations.
CREATE OR REPLACE VIEW /*!$database.*/bucket_rows/*!_local ON CLUSTER $cluster*/ AS
SELECT
  toUInt32({step:UInt32}) AS step, verified, hosting_type, num_gpus, gpu_name, bucket,
  state.* EXCEPT (verified, hosting_type, num_gpus, gpu_name, bucket),
  prices.* EXCEPT (verified, hosting_type, num_gpus, gpu_name, bucket)
FROM (
  SELECT verified, hosting_type, num_gpus, gpu_name, bucket, COLUMNS('^pooled_|_(p[0-9]+|median)$')
  FROM $database.figures/*!_local*/(step = {step:UInt32}, from = {from:UInt32}, to = {to:UInt32}, hourly = {hourly:Bool})
) AS prices
LEFT JOIN (
  SELECT
    * EXCEPT ('^(step|bucket|revision)$|^pooled_|_(p[0-9]+|median)$'),
    toDateTime(intDiv(toUnixTimestamp(slot_row.bucket), {step:UInt32}) * {step:UInt32}, 'UTC') AS bucket
  FROM /*!$database.*/cube/*!_local*/ AS slot_row FINAL
  WHERE slot_row.step = 1
    AND slot_row.bucket IN (
      SELECT max(slot) FROM /*!$database.*/slots
      WHERE slot >= toDateTime({from:UInt32}, 'UTC') AND slot < toDateTime({to:UInt32}, 'UTC')
      GROUP BY intDiv(toUnixTimestamp(slot), {step:UInt32})
    )
) AS state USING (verified, hosting_type, num_gpus, gpu_name, bucket)
