-- Incomes of the machines of each GPU name, size of memory and rig size in the 30 days and the 90 days before `to`, from machine_days. An income is USD per
-- GPU-hour on the market. `squares`, `products` and `sizes` are sums over machines, from which the interval follows (estimates/returns.ts). `waits` has the
-- new machines of the 90 days: hours until the first rental, or until last seen, and whether it came. Arrays `month_…` have sums over machines of the three
-- months of 30 days, oldest first: what was paid, GPU-hours, their squares and products (estimates/returns-outlook.ts).
-- Parameters: to UInt32 (unix seconds, the start of a day); verified, hosting_type String; num_gpus, gpu_memory UInt16 (filters of the market).
CREATE OR REPLACE VIEW /*!$database.*/gpu_returns /*!ON CLUSTER $cluster*/ AS
WITH (SELECT min(p.day) FROM /*!$database.*/published_days AS p WHERE p.print != 0) AS first_day
SELECT
  gpu_name, memory, rig,
  window.1 AS days,
  toUInt32(count()) AS machines,
  toUInt32(uniqExact(host)) AS hosts,
  sum(window.2) / sum(window.4) AS income,
  sum(window.3) / sum(window.4) AS occupancy,
  sum(window.2 * window.2) / pow(sum(window.4), 2) AS squares,
  sum(window.2 * window.4) / pow(sum(window.4), 2) AS products,
  sum(window.4 * window.4) / pow(sum(window.4), 2) AS sizes,
  quantilesExactWeighted(0.25, 0.5, 0.75)(window.2 / window.4, toUInt64(window.4)) AS spread,
  sum(rig * is_before) AS gpus_before,
  sum(rig * is_now) AS gpus_now,
  toUInt32(countIf(is_now AND NOT is_before)) AS arrived,
  toUInt32(countIf(is_before AND NOT is_now)) AS left,
  groupArrayIf((
    (toUnixTimestamp(has_rental ? first_rental : last_seen) - toUnixTimestamp(first_seen)) / 3600, has_rental, host
  ), is_new) AS waits,
  sumForEach(paid) AS month_paid,
  sumForEach(hours) AS month_hours,
  sumForEach(arrayMap(one -> one * one, paid)) AS month_squares,
  sumForEach(arrayMap((one, other) -> one * other, paid, hours)) AS month_products,
  sumForEach(arrayMap(one -> one * one, hours)) AS month_sizes,
  sumForEach(arrayMap(one -> one > 0, hours)) AS month_machines
FROM (
  SELECT
    gpu_name, gpu_memory AS memory, num_gpus AS rig, machine_id,
    argMax(({{host_of_machine}}), day) AS host,
    toDate(toDateTime({to:UInt32}, 'UTC')) AS end,
    arrayFilter(window -> window.4 > 0, [
      (30, toFloat64(sumIf(rented_value, day >= end - 30)), sumIf(rented_gpus, day >= end - 30), toFloat64(sumIf(rented_gpus + avail_gpus, day >= end - 30))),
      (90, toFloat64(sum(rented_value)), sum(rented_gpus), toFloat64(sum(rented_gpus + avail_gpus)))
    ]) AS windows,
    [toFloat64(sumIf(rented_value, day < end - 60)), toFloat64(sumIf(rented_value, day >= end - 60 AND day < end - 30)), toFloat64(sumIf(rented_value, day >= end - 30))] AS paid,
    [
      toFloat64(sumIf(rented_gpus + avail_gpus, day < end - 60)), toFloat64(sumIf(rented_gpus + avail_gpus, day >= end - 60 AND day < end - 30)),
      toFloat64(sumIf(rented_gpus + avail_gpus, day >= end - 30))
    ] AS hours,
    countIf(day >= end - 37 AND day < end - 30) > 0 AS is_before,
    countIf(day >= end - 7) > 0 AS is_now,
    min(first_slot) AS first_seen,
    max(last_slot) AS last_seen,
    minIf(first_rented, toUnixTimestamp(first_rented) > 0) AS first_rental,
    toUnixTimestamp(first_rental) > 0 AS has_rental,
    min(day) >= greatest(end - 83, first_day + 7) AS is_new
  FROM /*!$database.*/machine_days FINAL
  WHERE day >= toDate(toDateTime({to:UInt32}, 'UTC')) - 90 AND day < toDate(toDateTime({to:UInt32}, 'UTC'))
    AND {{filter_machine_days}}
  GROUP BY gpu_name, memory, rig, machine_id
)
ARRAY JOIN windows AS window
GROUP BY gpu_name, memory, rig, days
