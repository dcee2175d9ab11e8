-- The rows of machine_days for one day, from the observations. Parameters: day UInt32 (unix seconds, its start).
CREATE OR REPLACE VIEW /*!$database.*/machine_day_rows /*!ON CLUSTER $cluster*/ AS
WITH
  arrayFilter((ask, before) -> ask.2 != before.2, asks, arrayPopBack(arrayPushFront(asks, (toDateTime(0, 'UTC'), toDecimal64(-1, 9))))) AS changes,
  arrayFilter(state -> notEmpty(changes) AND state.1 < changes[-1].1, states) AS before,
  arrayFilter(state -> state.1 = changes[-1].1, states) AS at_ask
SELECT
  * EXCEPT (states, class, first_rented) REPLACE (changes AS asks),
  (toUInt32(arrayUniq(before.1)), arraySum(before.2), arraySum(before.3), arraySum(before.4)) AS before_ask,
  if(empty(at_ask), 0, arraySum(at_ask.3) / arraySum(at_ask.2)) AS ask_rented,
  class.1 AS gpu_memory,
  CAST(
    multiIf(class.2, 1, class.5 = 'unverified', 3, class.5 = 'deverified', 4, 2),
    'Enum8(\'unknown\' = 0, \'yes\' = 1, \'no\' = 2, \'unverified\' = 3, \'deverified\' = 4)'
  ) AS verified,
  class.3 AS hosting_type,
  class.4 AS host_id,
  first_rented
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
    sumIf(toDecimal128(price, 9) * gpus, rented) AS rented_value,
    groupArray((seen.slot, toUInt64(gpus), toUInt64(rented ? gpus : 0), toDecimal128(rented ? price : 0, 9) * gpus)) AS states,
    argMax(
      (seen.gpu_memory, seen.verified, seen.hosting_type, seen.host_id, seen.tier),
      (seen.slot, seen.gpu_memory, seen.verified, ifNull(seen.host_id, 0), seen.tier)
    ) AS class,
    minIf(seen.slot, rented) AS first_rented
  FROM /*!$database.*/observations AS seen
  WHERE seen.slot >= toDateTime({day:UInt32}, 'UTC') AND seen.slot < toDateTime({day:UInt32} + 86400, 'UTC')
  GROUP BY day, gpu_name, machine_id, num_gpus
)
