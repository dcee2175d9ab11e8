-- What some machines were in the 30 days that end with a slot, in the last 7 of them, and in the last one. GPUs and money are summed over
-- the slots. `asks` has each change of the price at which a machine was available, with its time. `offered` has its prices since `book`, and the
-- GPUs that were available at each.
-- `set` has its GPUs, those rented, and money in the whole hours that its comp set is of, and `hosts` whose it was then; 0: not known.
-- `since_ask` has what it was since the last of `asks`: slots, GPUs, those rented, money, and the share that was rented at the first slot.
-- Parameters: those of machine_past, week, day, book, set_from, set_to (unix seconds). Whole days end before all of these.
WITH
  arrayFilter((ask, before) -> ask.2 != before.2, asks, arrayPopBack(arrayPushFront(asks, (toUInt32(0), toFloat64(-1))))) AS changes,
  arrayFilter(state -> notEmpty(changes) AND state.1 >= changes[-1].1, states) AS since,
  arrayFilter(state -> state.1 = changes[-1].1, since) AS first
SELECT
  * EXCEPT (states) REPLACE (changes AS asks),
  (
    arrayUniq(arrayFilter(state -> state.2 = 0, since).1) + arraySum(since.2), arraySum(since.3), arraySum(since.4), toFloat64(arraySum(since.5)),
    arraySum(first.6.2) / arraySum(first.6.1)
  ) AS since_ask
FROM (
  SELECT
    id,
    sum(gpus) AS gpus_30d,
    sum(rented_gpus) AS rented_30d,
    toFloat64(sum(rented_value)) AS value_30d,
    sumIf(gpus, in_week) AS gpus_7d,
    sumIf(rented_gpus, in_week) AS rented_7d,
    toFloat64(sumIf(rented_value, in_week)) AS value_7d,
    sumIf(gpus, in_day) AS gpus_1d,
    sumIf(rented_gpus, in_day) AS rented_1d,
    toFloat64(sumIf(rented_value, in_day)) AS value_1d,
    uniqExactIf(seen.last_slot, slots = 0) + sum(slots) AS slots_30d,
    uniqExactIf(seen.last_slot, in_week) AS slots_7d,
    uniqExactIf(seen.last_slot, in_day) AS slots_1d,
    (sumIf(gpus, in_set), sumIf(rented_gpus, in_set), toFloat64(sumIf(rented_value, in_set))) AS set,
    groupUniqArrayIf(host, in_set) AS hosts,
    toUnixTimestamp(min(seen.first_slot)) AS first_slot,
    toUnixTimestamp(max(seen.last_slot)) AS last_slot,
    toUnixTimestamp(max(seen.rented_slot)) AS rented_slot,
    sumIf(gpus - rented_gpus, is_now) AS free_now,
    sumIf(rented_gpus, is_now) AS rented_now,
    sumMapIf([toFloat64(seen.asks[1].2)], [gpus], rented_gpus = 0 AND seen.last_slot >= toDateTime({book:UInt32}, 'UTC')) AS offered,
    arraySort(arrayMap(ask -> (toUnixTimestamp(ask.1), toFloat64(ask.2)), arrayFlatten(groupArray(seen.asks)))) AS asks,
    groupArray((toUnixTimestamp(seen.first_slot), seen.slots, gpus, seen.rented_gpus, rented_value, first)) AS states
  FROM (
    SELECT
      *,
      last_slot > toDateTime({week:UInt32}, 'UTC') AS in_week,
      last_slot > toDateTime({day:UInt32}, 'UTC') AS in_day,
      last_slot >= toDateTime({set_from:UInt32}, 'UTC') AND last_slot < toDateTime({set_to:UInt32}, 'UTC') AS in_set,
      last_slot = toDateTime({slot:UInt32}, 'UTC') AS is_now
    FROM ({{machine_past}})
  ) AS seen
  GROUP BY id
)
