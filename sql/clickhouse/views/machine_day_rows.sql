-- The rows of machine_days for one day, from the observations. Parameters: day UInt32 (unix seconds, its start).
CREATE OR REPLACE VIEW /*!$database.*/machine_day_rows /*!ON CLUSTER $cluster*/ AS
SELECT
  toDate(seen.slot) AS day, gpu_name, machine_id, num_gpus,
  toUInt32(uniqExact(seen.slot)) AS slots,
  toUInt64(sumIf(gpus, NOT rented)) AS avail_gpus,
  sumIf(toDecimal128(price, 9) * gpus, NOT rented) AS avail_value
FROM /*!$database.*/observations AS seen
WHERE seen.slot >= toDateTime({day:UInt32}, 'UTC') AND seen.slot < toDateTime({day:UInt32} + 86400, 'UTC')
GROUP BY day, gpu_name, machine_id, num_gpus
