-- The cube's rows of some steps over the buckets that [from, to) touches. Prices and sums pool the bucket; all else is taken from the cube's row
-- of the bucket's last slot.
-- Parameters: steps Array(UInt32); from, to UInt32 (seconds); hourly Bool: pool from price_histogram (whole-hour steps) instead of observations.
CREATE OR REPLACE VIEW /*!$database.*/bucket_rows/*!_local ON CLUSTER $cluster*/ AS
WITH last_slots AS (
  SELECT step, bucket, max(slot) AS slot
  FROM (
    SELECT
      slot,
      arrayJoin(arrayFilter(
        step -> toUnixTimestamp(slot) >= intDiv({from:UInt32}, step) * step
          AND toUnixTimestamp(slot) < intDiv({to:UInt32} + step - 1, step) * step,
        {steps:Array(UInt32)}
      )) AS step,
      toDateTime(intDiv(toUnixTimestamp(slot), step) * step, 'UTC') AS bucket
    FROM /*!$database.*/slots
    WHERE slot >= toDateTime(arrayMin(step -> intDiv({from:UInt32}, step) * step, {steps:Array(UInt32)}), 'UTC')
      AND slot < toDateTime(arrayMax(step -> intDiv({to:UInt32} + step - 1, step) * step, {steps:Array(UInt32)}), 'UTC')
  )
  GROUP BY step, bucket
)
SELECT
  step, verified, hosting_type, num_gpus, gpu_name, bucket,
  state.* EXCEPT (step, verified, hosting_type, num_gpus, gpu_name, bucket),
  prices.* EXCEPT (step, verified, hosting_type, num_gpus, gpu_name, bucket)
FROM (
  SELECT step, verified, hosting_type, num_gpus, gpu_name, bucket, COLUMNS('^pooled_|_(p[0-9]+|median)$')
  FROM $database.figures/*!_local*/(steps = {steps:Array(UInt32)}, from = {from:UInt32}, to = {to:UInt32}, hourly = {hourly:Bool})
) AS prices
LEFT JOIN (
  SELECT last_slots.step AS step, last_slots.bucket AS bucket, slot_row.* EXCEPT slot
  FROM (
    SELECT * EXCEPT ('^(step|bucket|revision)$|^pooled_|_(p[0-9]+|median)$'), one.bucket AS slot
    FROM /*!$database.*/cube/*!_local*/ AS one FINAL
    WHERE one.step = 1 AND one.bucket IN (SELECT slot FROM last_slots)
  ) AS slot_row
  INNER JOIN last_slots ON last_slots.slot = slot_row.slot
) AS state USING (step, verified, hosting_type, num_gpus, gpu_name, bucket)
