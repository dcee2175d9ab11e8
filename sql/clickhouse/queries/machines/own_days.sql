-- What some machines were on whole days, [days_from, days_to): the columns of own_history.sql that need no slots. A day has two parts: before its last
-- price, and since. Parameters: those of own_machines, days_from, days_to (unix seconds).
WITH {{ask_changes}}
SELECT
  * EXCEPT (states) REPLACE (changes AS asks),
  (arraySum(since.6), {{sums_since}}) AS since_ask
FROM (
  SELECT
    id,
    sum(gpus) AS gpus_30d,
    sum(rented) AS rented_30d,
    toFloat64(sum(value)) AS value_30d,
    sum(part_slots) AS slots_30d,
    toUnixTimestamp(min(first_at)) AS first_slot,
    toUnixTimestamp(max(last_at)) AS last_slot,
    toUnixTimestamp(max(rented_at)) AS rented_slot,
    arraySort(arrayMap(ask -> (toUnixTimestamp(ask.1), toFloat64(ask.2)), arrayFlatten(groupArray(part_asks)))) AS asks,
    groupArray((toUnixTimestamp(first_at), gpus, rented, value, (1, ask_rented), part_slots)) AS states
  FROM (
    SELECT
      machine_id AS id,
      toUInt64(before ? before_ask.slots : slots - before_ask.slots) AS part_slots,
      before OR empty(machine_days.asks) ? machine_days.first_slot : machine_days.asks[-1].slot AS first_at,
      machine_days.last_slot AS last_at,
      machine_days.rented_slot AS rented_at,
      toUInt64(before ? before_ask.gpus : avail_gpus + rented_gpus - before_ask.gpus) AS gpus,
      toUInt64(before ? before_ask.rented_gpus : rented_gpus - before_ask.rented_gpus) AS rented,
      before ? before_ask.rented_value : rented_value - before_ask.rented_value AS value,
      ask_rented,
      before ? [] : machine_days.asks AS part_asks
    FROM machine_days FINAL
    ARRAY JOIN [true, false] AS before
    WHERE {{own_machines}}
      AND day >= toDate(toDateTime({days_from:UInt32}, 'UTC')) AND day < toDate(toDateTime({days_to:UInt32}, 'UTC'))
      AND part_slots > 0
  )
  GROUP BY id
)
