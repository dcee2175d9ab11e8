-- What observations say of some machines after `from` until `slot`, but in [days_from, days_to), which own_days.sql reads: one row for the time before
-- these days (`before`), and one for that since. GPUs and money are summed over the slots, those of 7 days and of one over the last ones.
-- `asks` has each change of the price at which a machine was available, with its time. `offered` has its prices since `book`, and the GPUs that were
-- available at each. `set` has its GPUs, those rented, and money in the whole hours that its comp set is of, and `hosts` whose it was then; 0: not
-- known. `since_ask` has what it was since the last of `asks`: slots, GPUs, those rented, money, and the share that was rented at the first slot.
-- Parameters: those of own_machines, from, slot, days_from, days_to, week, day, book, set_from, set_to (unix seconds).
WITH {{ask_changes}}
SELECT
  * EXCEPT (states) REPLACE (changes AS asks),
  (arrayUniq(since.1), {{sums_since}}) AS since_ask
FROM (
  SELECT
    id,
    seen.slot < toDateTime({days_from:UInt32}, 'UTC') AS before,
    sum(gpus) AS gpus_30d,
    sum(rented_gpus) AS rented_30d,
    toFloat64(sum(rented_value)) AS value_30d,
    sumIf(gpus, in_week) AS gpus_7d,
    sumIf(rented_gpus, in_week) AS rented_7d,
    toFloat64(sumIf(rented_value, in_week)) AS value_7d,
    sumIf(gpus, in_day) AS gpus_1d,
    sumIf(rented_gpus, in_day) AS rented_1d,
    toFloat64(sumIf(rented_value, in_day)) AS value_1d,
    uniqExact(seen.slot) AS slots_30d,
    uniqExactIf(seen.slot, in_week) AS slots_7d,
    uniqExactIf(seen.slot, in_day) AS slots_1d,
    (sumIf(gpus, in_set), sumIf(rented_gpus, in_set), toFloat64(sumIf(rented_value, in_set))) AS set,
    groupUniqArrayIf(host, in_set) AS hosts,
    toUnixTimestamp(min(seen.slot)) AS first_slot,
    toUnixTimestamp(max(seen.slot)) AS last_slot,
    toUnixTimestamp(maxIf(seen.slot, rented)) AS rented_slot,
    sumIf(gpus - rented_gpus, is_now) AS free_now,
    sumIf(rented_gpus, is_now) AS rented_now,
    sumMapIf([toFloat64(seen.price)], [gpus], NOT rented AND seen.slot >= toDateTime({book:UInt32}, 'UTC')) AS offered,
    arraySort(groupArrayIf((toUnixTimestamp(seen.slot), toFloat64(seen.price)), NOT rented)) AS asks,
    groupArray((toUnixTimestamp(seen.slot), gpus, seen.rented_gpus, rented_value, (gpus, toFloat64(seen.rented_gpus)))) AS states
  FROM (
    SELECT
      machine_id AS id, one.slot AS slot, price, rented,
      toUInt64(one.gpus) AS gpus, toUInt64(rented ? one.gpus : 0) AS rented_gpus, toDecimal128(price, 9) * rented_gpus AS rented_value,
      toUInt64(ifNull(host_id, 0)) AS host,
      slot > toDateTime({week:UInt32}, 'UTC') AS in_week,
      slot > toDateTime({day:UInt32}, 'UTC') AS in_day,
      slot >= toDateTime({set_from:UInt32}, 'UTC') AND slot < toDateTime({set_to:UInt32}, 'UTC') AS in_set,
      slot = toDateTime({slot:UInt32}, 'UTC') AS is_now
    FROM observations AS one
    WHERE {{own_machines}}
      AND one.slot > toDateTime({from:UInt32}, 'UTC') AND one.slot <= toDateTime({slot:UInt32}, 'UTC')
      AND (one.slot < toDateTime({days_from:UInt32}, 'UTC') OR one.slot >= toDateTime({days_to:UInt32}, 'UTC'))
  ) AS seen
  GROUP BY id, before
)
