-- The rows of machine_days for one day, from the observations. Parameters: day UInt32 (unix seconds, its start).
CREATE OR REPLACE VIEW /*!$database.*/machine_day_rows /*!ON CLUSTER $cluster*/ AS
SELECT
  * REPLACE (
    arrayFilter((ask, before) -> ask.2 != before.2, asks, arrayPopBack(arrayPushFront(asks, (toDateTime(0, 'UTC'), toDecimal64(-1, 9))))) AS asks
  )
FROM (
  SELECT
    toDate(seen.slot) AS day, gpu_name, machine_id, num_gpus,
    toUInt32(uniqExact(seen.slot)) AS slots,
    min(seen.slot) AS first_slot,
    max(seen.slot) AS last_slot,
    maxIf(seen.slot, rented) AS rented_slot,
    toUInt64(sumIf(gpus, NOT rented)) AS avail_gpus,
    sumIf(toDecimal128(price, 9) * gpus, NOT rented) AS avail_value,
    arraySort(groupArrayIf((seen.slot, price), NOT rented)) AS asks,
    toUInt64(sumIf(gpus, rented)) AS rented_gpus,
    sumIf(toDecimal128(price, 9) * gpus, rented) AS rented_value
  FROM /*!$database.*/observations AS seen
  WHERE seen.slot >= toDateTime({day:UInt32}, 'UTC') AND seen.slot < toDateTime({day:UInt32} + 86400, 'UTC')
  GROUP BY day, gpu_name, machine_id, num_gpus
)
