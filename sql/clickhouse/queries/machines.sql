-- name: class_flows
-- Flows of the machines of some GPU names by class and price position. Without names: of all machines together, not split by the size of their memory
-- (0). The variances are from hour to hour. Parameters: names Array(String), from, to (whole hours).
SELECT
  if(empty({names:Array(String)}), '', flows.gpu_name) AS gpu_name, if(empty({names:Array(String)}), 0, flows.gpu_memory) AS gpu_memory, {{class_columns}}, position,
  {{fill_sums}}
FROM flows FINAL
WHERE (empty({names:Array(String)}) OR flows.gpu_name IN {names:Array(String)})
  AND hour >= toDateTime({from:UInt32}, 'UTC') AND hour < toDateTime({to:UInt32}, 'UTC')
GROUP BY gpu_name, gpu_memory, {{class_columns}}, position

-- name: comp_sets
-- The machines of some GPU names by class and host in [from, to): their number, and their GPUs and money summed over the slots.
-- Machines with an unknown host count as machines of one host. Parameters: names Array(String), from, to.
SELECT
  gpu_name, {{filter_columns}}, toUInt64(ifNull(host_id, 0)) AS host,
  uniqExact(machine_id) AS machines,
  sum(gpus) AS all_gpus,
  sumIf(gpus, rented) AS rented_gpus,
  toFloat64(sumIf(toDecimal128(price, 9) * gpus, rented)) AS value
FROM observations
WHERE gpu_name IN {names:Array(String)} AND slot >= toDateTime({from:UInt32}, 'UTC') AND slot < toDateTime({to:UInt32}, 'UTC')
GROUP BY gpu_name, {{filter_columns}}, host

-- name: listed
-- The state of some machines at one slot of a source. The price is the price of the free GPUs. From outside it also stands for
-- the rented ones. Renters pay it. Parameters: ids Array(UInt64), names Array(String), slot (unix seconds).
SELECT
  machine_id AS id,
  sumIf(gpus, rented) AS rented_gpus,
  if(rented_gpus = 0, NULL, toFloat64(sumIf(toDecimal128(seen.price, 9) * gpus, rented)) / rented_gpus) AS rented_price,
  toFloat64(if(countIf(NOT rented) > 0, maxIf(seen.price, NOT rented), max(seen.price))) AS renter_price
FROM observations AS seen
WHERE gpu_name IN {names:Array(String)} AND seen.slot = toDateTime({slot:UInt32}, 'UTC') AND machine_id IN {ids:Array(UInt64)}
GROUP BY machine_id

-- name: own_days
-- Totals of some machines on whole days, [days_from, days_to): the columns of `own_history` that need no slots. A day has two
-- parts: before its last price, and since. Parameters: as for own_machines, days_from, days_to (unix seconds).
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

-- name: own_history
-- Totals of some machines from observations after `from` until `slot`, except in [days_from, days_to), which `own_days` reads:
-- one row for the time before these days (`before`), and one for the time after. GPUs and money are summed over the slots, also
-- over the last 7 days and the last day. `asks` has each change of the price at which a machine was available, with its time.
-- `offered` has its prices from `book` to `book_to`, and the GPUs available at each. `set` has its GPUs, rented GPUs, and money in the whole
-- hours of its comp set, and `hosts` its host then; 0: unknown. `since_ask` has the totals since the last of `asks`: slots, GPUs,
-- rented GPUs, money, and the rented share at the first slot. Parameters: as for own_machines, from, slot, days_from, days_to,
-- week, day, book, book_to, set_from, set_to (unix seconds).
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
    sumMapIf([toFloat64(seen.price)], [gpus], NOT rented AND seen.slot >= toDateTime({book:UInt32}, 'UTC')
      AND seen.slot < toDateTime({book_to:UInt32}, 'UTC')) AS offered,
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

-- name: income_by_day
-- What some machines earned together by day (UTC), summed over the slots: on the days of [days_from, days_to) from machine_days, on the others
-- up to `slot` from observations. `value` is the host's part of the price of each rented GPU, and `left_value` what is left of it after costs.
-- `parts` has the host's part of a price by machine, `kept` the share of it after the fee, `online` USD per hour on the market, `rented` USD per
-- rented GPU-hour. Parameters: as for own_machines, parts, kept, online, rented (Array(Float64)), from, slot, days_from, days_to (unix seconds).
SELECT
  toUnixTimestamp(toDateTime(on_day, 'UTC')) AS day,
  uniqExact(id) AS machines,
  sum(part * paid) AS value,
  sum(
    part * paid * transform(id, {ids:Array(UInt64)}, {kept:Array(Float64)}, 1.)
    - on_market * transform(id, {ids:Array(UInt64)}, {online:Array(Float64)}, 0.)
    - busy * transform(id, {ids:Array(UInt64)}, {rented:Array(Float64)}, 0.)
  ) AS left_value
FROM (
  SELECT *, transform(id, {ids:Array(UInt64)}, {parts:Array(Float64)}, 1.) AS part
  FROM (
    SELECT day AS on_day, machine_id AS id, toUInt64(slots) AS on_market, rented_gpus AS busy, toFloat64(rented_value) AS paid
    FROM machine_days FINAL
    WHERE {{own_machines}}
      AND day >= toDate(toDateTime({days_from:UInt32}, 'UTC')) AND day < toDate(toDateTime({days_to:UInt32}, 'UTC'))
    UNION ALL
    SELECT
      toDate(seen.slot) AS on_day, machine_id AS id, uniqExact(seen.slot) AS on_market,
      toUInt64(sumIf(gpus, seen.rented)) AS busy,
      toFloat64(sumIf(toDecimal128(price, 9) * gpus, seen.rented)) AS paid
    FROM observations AS seen
    WHERE {{own_machines}}
      AND seen.slot >= toDateTime({from:UInt32}, 'UTC') AND seen.slot <= toDateTime({slot:UInt32}, 'UTC')
      AND (seen.slot < toDateTime({days_from:UInt32}, 'UTC') OR seen.slot >= toDateTime({days_to:UInt32}, 'UTC'))
    GROUP BY on_day, id
  )
)
GROUP BY on_day
ORDER BY on_day

-- name: roster
-- The last state of every machine that was on the market after a time, up to another one. An unknown host is 0. Parameters: from,
-- to (unix seconds).
SELECT
  id, last_slot, last.1 AS host, last.2 AS gpu_name, last.3 AS num_gpus, last.4 AS verified, last.5 AS hosting_type, last.6 AS gpu_memory
FROM (
  SELECT
    machine_id AS id, toUnixTimestamp(max(seen.slot)) AS last_slot,
    argMax((toUInt64(ifNull(host_id, 0)), gpu_name, num_gpus, verified, toString(hosting_type), gpu_memory), seen.slot) AS last
  FROM observations AS seen
  WHERE seen.slot > toDateTime({from:UInt32}, 'UTC') AND seen.slot <= toDateTime({to:UInt32}, 'UTC')
  GROUP BY machine_id
)
