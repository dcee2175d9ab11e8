-- name: cube
-- Rows of some steps in which the cube and the observations differ, in the buckets that [from, to) touches. `surplus` is 1 for a stored row, -1 for a
-- row that the observations give. Buckets that begin before the first whole hour since `since` are left out. At most `most` for each step and day.
-- Parameters: steps, from, to, since, most.
SELECT *, toUnixTimestamp(bucket) AS time
FROM (
  SELECT * EXCEPT (side), sum(side) AS surplus
  FROM (
    SELECT 1 AS side, * EXCEPT (revision) FROM cube FINAL
    WHERE has({steps:Array(UInt32)}, step)
      AND bucket >= toDateTime(arrayMin(step -> intDiv({from:UInt32}, step) * step, {steps:Array(UInt32)}), 'UTC')
      AND bucket >= toDateTime(intDiv({from:UInt32}, step) * step, 'UTC') AND bucket < toDateTime({to:UInt32}, 'UTC')
    UNION ALL
    SELECT -1, * FROM slot_rows(steps = {steps:Array(UInt32)}, from = {from:UInt32}, to = {to:UInt32})
  )
  WHERE toUnixTimestamp(bucket) >= intDiv({since:UInt32} + greatest(step, 3600) - 1, greatest(step, 3600)) * greatest(step, 3600)
  GROUP BY ALL
  HAVING surplus != 0
)
ORDER BY step, time, gpu_name, {{filter_columns}}
LIMIT {most:UInt32} BY step, intDiv(time, 86400)

-- name: days
-- The days of [from, to) with slots or with rows that are stored by day. For each: what it has, and the number of rows of the price index and of
-- published_days that do not match their seal. Unix seconds. Parameters: from, to (starts of days).
SELECT
  toUnixTimestamp(toDateTime(stored.date, 'UTC')) AS day,
  max(what = 'slots') AS has_slots, max(what = 'machines') AS has_machines, max(what = 'index') AS has_index,
  max(what = 'published') AS is_published,
  sum(what = 'index' ? damaged : 0) AS damaged_index, sum(what = 'published' ? damaged : 0) AS damaged_published
FROM (
  SELECT DISTINCT toDate(slot) AS date, 'slots' AS what, 0 AS damaged FROM slots
  UNION ALL
  SELECT DISTINCT m.day AS date, 'machines', 0 FROM machine_days AS m
  UNION ALL
  SELECT i.day AS date, 'index', countIf(NOT i.is_sealed) FROM price_index AS i GROUP BY i.day
  UNION ALL
  SELECT p.day AS date, 'published', countIf(NOT p.is_sealed) FROM published_days AS p GROUP BY p.day
) AS stored
WHERE stored.date >= toDate(toDateTime({from:UInt32}, 'UTC')) AND stored.date < toDate(toDateTime({to:UInt32}, 'UTC'))
GROUP BY day
ORDER BY day

-- name: days_with_slots
-- The days that [from, to) touches and that have slots: `day`, the start in unix seconds, and the newest revision of the day's slots and of its
-- publication. Parameters: from, to.
SELECT toUnixTimestamp(toDateTime(date, 'UTC')) AS day, max(newest) AS revision
FROM (
  SELECT toDate(s.slot) AS date, max(s.revision) AS newest, true AS has_slots FROM slots AS s GROUP BY date
  UNION ALL
  SELECT p.day AS date, max(p.revision), false FROM published_days AS p GROUP BY date
)
WHERE date >= toDate(toDateTime({from:UInt32}, 'UTC')) AND toDateTime(date, 'UTC') < toDateTime({to:UInt32}, 'UTC')
GROUP BY date
HAVING max(has_slots)
ORDER BY date

-- name: flows
-- Rows in which flows and the observations of the hours in [from, to) differ, as in `cube`. Parameters: from, to, longest, most.
SELECT *, toUnixTimestamp(hour) AS time
FROM (
  SELECT * EXCEPT (side), sum(side) AS surplus
  FROM (
    SELECT 1 AS side, * EXCEPT (revision) FROM flows FINAL
    WHERE hour >= toDateTime({from:UInt32}, 'UTC') AND hour < toDateTime({to:UInt32}, 'UTC')
    UNION ALL
    SELECT -1, * FROM flow_rows(from = {from:UInt32}, to = {to:UInt32}, longest = {longest:UInt32})
  )
  GROUP BY ALL
  HAVING surplus != 0
)
ORDER BY time, gpu_name, {{machine_columns}}, position
LIMIT {most:UInt32} BY intDiv(time, 86400)

-- name: machine_days
-- Rows in which machine_days and the observations of a day differ, as in `cube`. Parameters: day (its start), most.
SELECT *, {day:UInt32} AS time
FROM (
  SELECT * EXCEPT (side), sum(side) AS surplus
  FROM (
    SELECT 1 AS side, * EXCEPT (revision) FROM machine_days FINAL WHERE day = toDate(toDateTime({day:UInt32}, 'UTC'))
    UNION ALL
    SELECT -1, * FROM machine_day_rows(day = {day:UInt32})
  )
  GROUP BY ALL
  HAVING surplus != 0
)
ORDER BY time, gpu_name, machine_id, num_gpus
LIMIT {most:UInt32} BY intDiv(time, 86400)

-- name: machines
-- Sources whose rows of [from, to) give a machine more GPUs in a slot than it has, or two names: how many slots and machines, the first of them, and the
-- imports that these rows came with. Parameters: from, to.
SELECT
  source, toUnixTimestamp(min(slot)) AS first, toUnixTimestamp(max(slot)) AS last, uniqExact(slot) AS slots, uniqExact(machine_id) AS machines,
  argMin((machine_id, found, size), slot) AS example, arraySort(groupUniqArrayArray(10)(ids)) AS imports
FROM (
  SELECT slot, source, machine_id, sum(gpus) AS found, max(num_gpus) AS size, groupUniqArray(import_id) AS ids
  FROM observations
  WHERE slot >= toDateTime({from:UInt32}, 'UTC') AND slot < toDateTime({to:UInt32}, 'UTC')
  GROUP BY slot, source, machine_id
  HAVING found > size OR min(gpu_name) != max(gpu_name)
)
GROUP BY source
ORDER BY source

-- name: newest_revisions
-- The tables without seals that have a row newer than `newest`, the last revision that was given out. Parameters: newest.
SELECT table, revision FROM (
  SELECT 'slots' AS table, max(s.revision) AS revision FROM slots AS s
  UNION ALL
  SELECT 'price_histogram', max(h.revision) FROM price_histogram AS h
  UNION ALL
  SELECT 'price_steps', max(p.revision) FROM price_steps AS p
  UNION ALL
  SELECT 'cube', max(c.revision) FROM cube AS c
  UNION ALL
  SELECT 'flows', max(f.revision) FROM flows AS f
  UNION ALL
  SELECT 'terms', max(t.revision) FROM terms AS t
  UNION ALL
  SELECT 'specs', max(p.revision) FROM specs AS p
  UNION ALL
  SELECT 'machine_days', max(m.revision) FROM machine_days AS m
)
WHERE revision > {newest:UInt64}
ORDER BY table

-- name: price_histogram
-- Rows in which the price histogram and the observations of [from, to) differ, as in `cube`. Parameters: from, to (on the hour), most.
SELECT *, toUnixTimestamp(hour) AS time
FROM (
  SELECT * EXCEPT (side), sum(side) AS surplus
  FROM (
    SELECT 1 AS side, hour, gpu_name, {{machine_columns}}, rented, price, gpus
    FROM price_histogram FINAL
    WHERE hour >= toDateTime({from:UInt32}, 'UTC') AND hour < toDateTime({to:UInt32}, 'UTC')
    UNION ALL
    SELECT -1, hour, gpu_name, {{machine_columns}}, rented, price, gpus
    FROM histogram_rows(from = {from:UInt32}, to = {to:UInt32})
  )
  GROUP BY ALL
  HAVING surplus != 0
)
ORDER BY time, gpu_name, {{machine_columns}}, rented, price
LIMIT {most:UInt32} BY intDiv(time, 86400)

-- name: price_index
-- Rows in which the newest editions of a day of the price index and machine_days differ, as in `cube`. Parameters: day (its start), most.
SELECT *, {day:UInt32} AS time
FROM (
  SELECT * EXCEPT (side), sum(side) AS surplus
  FROM (
    SELECT 1 AS side, day, gpu_name, machines, matched_share, ln_link, machines_28, matched_share_28, ln_link_28, hash
    FROM price_index FINAL
    WHERE day = toDate(toDateTime({day:UInt32}, 'UTC'))
    ORDER BY edition DESC
    LIMIT 1 BY gpu_name
    UNION ALL
    SELECT -1, * FROM price_index_rows(day = {day:UInt32})
  )
  GROUP BY ALL
  HAVING surplus != 0
)
ORDER BY time, gpu_name
LIMIT {most:UInt32} BY intDiv(time, 86400)

-- name: price_steps
-- Rows in which the price steps and the price histogram of [from, to) differ, as in `cube`. The histogram is compared with the observations itself.
-- Parameters: step, from, to (on the step), most.
SELECT *, toUnixTimestamp(bucket) AS time
FROM (
  SELECT * EXCEPT (side), sum(side) AS surplus
  FROM (
    SELECT 1 AS side, step, gpu_name, bucket, {{machine_columns}}, rented, price, gpus
    FROM price_steps FINAL
    WHERE step = {step:UInt32} AND bucket >= toDateTime({from:UInt32}, 'UTC') AND bucket < toDateTime({to:UInt32}, 'UTC')
    UNION ALL
    SELECT -1, step, gpu_name, bucket, {{machine_columns}}, rented, price, gpus
    FROM step_rows(step = {step:UInt32}, from = {from:UInt32}, to = {to:UInt32})
  )
  GROUP BY ALL
  HAVING surplus != 0
)
ORDER BY time, gpu_name, {{machine_columns}}, rented, price
LIMIT {most:UInt32} BY intDiv(time, 86400)

-- name: range
-- The range from the first row of any table to just after the last one; 0 and 0 without rows.
SELECT toUInt32(ifNull(minOrNull(first), 0)) AS from, toUInt32(ifNull(maxOrNull(last), 0)) AS to
FROM (
  SELECT toUnixTimestamp(min(slot)) AS first, toUnixTimestamp(max(slot)) + 1 AS last, count() AS rows FROM slots
  UNION ALL
  SELECT toUnixTimestamp(min(slot)), toUnixTimestamp(max(slot)) + 1, count() FROM observations
  UNION ALL
  SELECT toUnixTimestamp(min(hour)), toUnixTimestamp(max(hour)) + 3600, count() FROM price_histogram
  UNION ALL
  SELECT toUnixTimestamp(min(bucket)), max(toUnixTimestamp(bucket) + 1), count() FROM price_steps
  UNION ALL
  SELECT toUnixTimestamp(min(bucket)), max(toUnixTimestamp(bucket) + 1), count() FROM cube
  UNION ALL
  SELECT toUnixTimestamp(min(hour)), toUnixTimestamp(max(hour)) + 3600, count() FROM flows
  UNION ALL
  SELECT toUnixTimestamp(min(slot)), toUnixTimestamp(max(slot)) + 1, count() FROM terms
  UNION ALL
  SELECT toUnixTimestamp(min(slot)), toUnixTimestamp(max(slot)) + 1, count() FROM specs
  UNION ALL
  SELECT toUnixTimestamp(toDateTime(min(day), 'UTC')), toUnixTimestamp(toDateTime(max(day), 'UTC')) + 86400, count() FROM machine_days
  UNION ALL
  SELECT toUnixTimestamp(toDateTime(min(day), 'UTC')), toUnixTimestamp(toDateTime(max(day), 'UTC')) + 86400, count() FROM price_index
  UNION ALL
  SELECT toUnixTimestamp(toDateTime(min(day), 'UTC')), toUnixTimestamp(toDateTime(max(day), 'UTC')) + 86400, count() FROM published_days
)
WHERE rows > 0

-- name: slots
-- Slots of [from, to) whose entry in the ledger disagrees with the observations: another number of rows, a row twice, no rows, no entry,
-- or an entry that readers do not see. Slots before `since` are not counted: their observations may be dropped already, so the entry is trusted.
-- Parameters: from, to, since.
SELECT
  toUnixTimestamp(slot) AS slot, source, max(is_entered) AS is_entered, sum(entered) AS entered, max(ready) AS is_ready,
  sum(found) AS found, sum(distinct_rows) AS distinct_rows
FROM (
  SELECT
    slot, source, true AS is_entered, observations AS entered, ready,
    slot < toDateTime({since:UInt32}, 'UTC') ? observations : 0 AS found, found AS distinct_rows
  FROM slots FINAL
  WHERE slot >= toDateTime({from:UInt32}, 'UTC') AND slot < toDateTime({to:UInt32}, 'UTC')
  UNION ALL
  SELECT slot, source, false, 0, false, count(), uniqExact(machine_id, gpu_name, rented, price, rental_type)
  FROM observations
  WHERE slot >= toDateTime(greatest({from:UInt32}, {since:UInt32}), 'UTC') AND slot < toDateTime({to:UInt32}, 'UTC')
  GROUP BY slot, source
)
GROUP BY slot, source
HAVING entered != found OR found != distinct_rows OR found = 0 OR NOT is_ready
ORDER BY slot, source

-- name: specs
-- Rows in which specs and the observations of the slots in [from, to) differ, as in `cube`. Parameters: from, to, since, most.
SELECT *, toUnixTimestamp(slot) AS time
FROM (
  SELECT * EXCEPT (side), sum(side) AS surplus
  FROM (
    SELECT 1 AS side, * EXCEPT (revision) FROM specs FINAL
    WHERE slot >= toDateTime({from:UInt32}, 'UTC') AND slot < toDateTime({to:UInt32}, 'UTC')
    UNION ALL
    SELECT -1, * FROM spec_rows(from = {from:UInt32}, to = {to:UInt32}, since = {since:UInt32})
    WHERE slot < toDateTime({to:UInt32}, 'UTC')
  )
  GROUP BY ALL
  HAVING surplus != 0
)
ORDER BY time, gpu_name, machine_id
LIMIT {most:UInt32} BY intDiv(time, 86400)

-- name: terms
-- Rows in which terms and the observations of the slots in [from, to) differ, as in `cube`. Parameters: from, to, since, most.
SELECT *, toUnixTimestamp(slot) AS time
FROM (
  SELECT * EXCEPT (side), sum(side) AS surplus
  FROM (
    SELECT 1 AS side, * EXCEPT (revision) FROM terms FINAL
    WHERE slot >= toDateTime({from:UInt32}, 'UTC') AND slot < toDateTime({to:UInt32}, 'UTC')
    UNION ALL
    SELECT -1, * FROM term_rows(from = {from:UInt32}, to = {to:UInt32}, since = {since:UInt32})
    WHERE slot < toDateTime({to:UInt32}, 'UTC')
  )
  GROUP BY ALL
  HAVING surplus != 0
)
ORDER BY time, gpu_name, machine_id
LIMIT {most:UInt32} BY intDiv(time, 86400)

-- name: unknown_steps
-- Rows of [from, to) with steps that are never computed. Parameters: from, to; steps Array(UInt32) (of the cube); price_steps Array(UInt32).
SELECT 'cube' AS table, step, count() AS rows, toUnixTimestamp(min(bucket)) AS first, toUnixTimestamp(max(bucket)) AS last
FROM cube FINAL
WHERE step NOT IN {steps:Array(UInt32)} AND bucket >= toDateTime({from:UInt32}, 'UTC') AND bucket < toDateTime({to:UInt32}, 'UTC')
GROUP BY step
UNION ALL
SELECT 'price_steps', step, count(), toUnixTimestamp(min(bucket)), toUnixTimestamp(max(bucket))
FROM price_steps FINAL
WHERE step NOT IN {price_steps:Array(UInt32)} AND bucket >= toDateTime({from:UInt32}, 'UTC') AND bucket < toDateTime({to:UInt32}, 'UTC')
GROUP BY step
