-- name: buckets
-- Computes the cube's rows of some steps of whole hours from the price histogram, the price steps and the rows of single slots, in the buckets
-- that [from, to) touches. The view has the cube's columns, in their order. Parameters: steps, from, to, revision.
INSERT INTO cube
SELECT *, {revision:UInt64}
FROM bucket_rows(steps = {steps:Array(UInt32)}, from = {from:UInt32}, to = {to:UInt32})

-- name: changes_around
-- The second after the slot that follows [from, to), or `to` if none follows; and the number of rows of terms and of specs in [from, to) and at that
-- slot. Parameters: from, to.
WITH (
  SELECT if(count() = 0, {to:UInt32}, toUnixTimestamp(min(l.slot)) + 1) FROM slots AS l WHERE l.slot >= toDateTime({to:UInt32}, 'UTC')
) AS next
SELECT any(next) AS to, countIf(of = 1) AS terms, countIf(of = 2) AS specs
FROM (
  SELECT 1 AS of, t.slot AS at FROM terms AS t
  UNION ALL
  SELECT 2, s.slot FROM specs AS s
)
WHERE toUnixTimestamp(at) >= {from:UInt32} AND toUnixTimestamp(at) < next

-- name: find_stale
-- One row when the cube has rows that `forget_stale` would remove for good. Parameters: step, from, to, revision.
SELECT 1 AS stale
FROM cube FINAL
WHERE step = {step:UInt32} AND bucket >= toDateTime({from:UInt32}, 'UTC') AND bucket < toDateTime({to:UInt32}, 'UTC') AND revision < {revision:UInt64}
LIMIT 1

-- name: find_stale_flows
-- One row when flows has rows that `forget_stale_flows` would remove for good. Parameters: from, to, revision.
SELECT 1 AS stale
FROM flows FINAL
WHERE hour >= toDateTime({from:UInt32}, 'UTC') AND hour < toDateTime({to:UInt32}, 'UTC') AND revision < {revision:UInt64}
LIMIT 1

-- name: find_stale_histogram
-- One row when the histogram has rows that `forget_stale_histogram` would remove for good. Parameters: from, to, revision.
SELECT 1 AS stale
FROM price_histogram FINAL
WHERE hour >= toDateTime({from:UInt32}, 'UTC') AND hour < toDateTime({to:UInt32}, 'UTC') AND revision < {revision:UInt64}
LIMIT 1

-- name: find_stale_price_steps
-- One row when there are price steps that `forget_stale_price_steps` would remove for good. Parameters: step, from, to, revision.
SELECT 1 AS stale
FROM price_steps FINAL
WHERE step = {step:UInt32} AND bucket >= toDateTime({from:UInt32}, 'UTC') AND bucket < toDateTime({to:UInt32}, 'UTC') AND revision < {revision:UInt64}
LIMIT 1

-- name: find_stale_specs
-- One row when specs has rows that `forget_stale_specs` would remove for good. Parameters: from, to, revision.
SELECT 1 AS stale
FROM specs FINAL
WHERE slot >= toDateTime({from:UInt32}, 'UTC') AND slot < toDateTime({to:UInt32}, 'UTC') AND revision < {revision:UInt64}
LIMIT 1

-- name: find_stale_terms
-- One row when terms has rows that `forget_stale_terms` would remove for good. Parameters: from, to, revision.
SELECT 1 AS stale
FROM terms FINAL
WHERE slot >= toDateTime({from:UInt32}, 'UTC') AND slot < toDateTime({to:UInt32}, 'UTC') AND revision < {revision:UInt64}
LIMIT 1

-- name: first_kept
-- The second after the first slot whose observations are kept, if earlier ones were dropped: earlier states of machines are unknown. 0: none were
-- dropped.
-- Parameters: since.
SELECT if(min(l.slot) < toDateTime({since:UInt32}, 'UTC'), toUnixTimestamp(minIf(l.slot, l.slot >= toDateTime({since:UInt32}, 'UTC'))) + 1, 0) AS start
FROM slots AS l

-- name: flows
-- Computes the flows of the hours in [from, to). The view has the columns of flows, in their order. Parameters: from, to, longest, revision.
INSERT INTO flows
SELECT *, {revision:UInt64}
FROM flow_rows(from = {from:UInt32}, to = {to:UInt32}, longest = {longest:UInt32})

-- name: forget_stale
-- After a rebuild of [from, to): rows of the cube that no observation backs any more. Parameters: step, from, to, revision.
DELETE FROM /*!$database.*/cube/*!_local ON CLUSTER $cluster*/
WHERE step = {step:UInt32} AND bucket >= toDateTime({from:UInt32}, 'UTC') AND bucket < toDateTime({to:UInt32}, 'UTC') AND revision < {revision:UInt64}

-- name: forget_stale_flows
-- Rows of flows of [from, to) that no observation backs any more. Parameters: from, to, revision.
DELETE FROM /*!$database.*/flows/*!_local ON CLUSTER $cluster*/
WHERE hour >= toDateTime({from:UInt32}, 'UTC') AND hour < toDateTime({to:UInt32}, 'UTC') AND revision < {revision:UInt64}

-- name: forget_stale_histogram
-- After a rebuild of [from, to): rows of the histogram that no observation backs any more. Parameters: from, to, revision.
DELETE FROM /*!$database.*/price_histogram/*!_local ON CLUSTER $cluster*/
WHERE hour >= toDateTime({from:UInt32}, 'UTC') AND hour < toDateTime({to:UInt32}, 'UTC') AND revision < {revision:UInt64}

-- name: forget_stale_price_steps
-- After a rebuild of [from, to): price steps that no observation backs any more. Parameters: step, from, to, revision.
DELETE FROM /*!$database.*/price_steps/*!_local ON CLUSTER $cluster*/
WHERE step = {step:UInt32} AND bucket >= toDateTime({from:UInt32}, 'UTC') AND bucket < toDateTime({to:UInt32}, 'UTC') AND revision < {revision:UInt64}

-- name: forget_stale_specs
-- Rows of specs of [from, to) that no observation backs any more. Parameters: from, to, revision.
DELETE FROM /*!$database.*/specs/*!_local ON CLUSTER $cluster*/
WHERE slot >= toDateTime({from:UInt32}, 'UTC') AND slot < toDateTime({to:UInt32}, 'UTC') AND revision < {revision:UInt64}

-- name: forget_stale_terms
-- Rows of terms of [from, to) that no observation backs any more. Parameters: from, to, revision.
DELETE FROM /*!$database.*/terms/*!_local ON CLUSTER $cluster*/
WHERE slot >= toDateTime({from:UInt32}, 'UTC') AND slot < toDateTime({to:UInt32}, 'UTC') AND revision < {revision:UInt64}

-- name: histogram
-- Computes the price histogram of the hours in [from, to). Parameters: from, to, revision.
INSERT INTO price_histogram (hour, gpu_name, {{machine_columns}}, rented, price, gpus, revision)
SELECT hour, gpu_name, {{machine_columns}}, rented, price, gpus, {revision:UInt64}
FROM histogram_rows(from = {from:UInt32}, to = {to:UInt32})

-- name: observations_per_hour
-- Number of observations to roll up, hour by hour. Parameters: from, to.
SELECT toUnixTimestamp(toStartOfHour(slot)) AS hour, sum(observations) AS observations
FROM slots FINAL
WHERE slot >= toDateTime({from:UInt32}, 'UTC') AND slot < toDateTime({to:UInt32}, 'UTC')
GROUP BY hour
ORDER BY hour

-- name: price_steps
-- Computes the price steps of the buckets in [from, to) from the price histogram. Parameters: step, from, to (on the step), revision.
INSERT INTO price_steps (step, gpu_name, bucket, {{machine_columns}}, rented, price, gpus, revision)
SELECT step, gpu_name, bucket, {{machine_columns}}, rented, price, gpus, {revision:UInt64}
FROM step_rows(step = {step:UInt32}, from = {from:UInt32}, to = {to:UInt32})

-- name: slot_before
-- The last slot of [from, to), 0 when there is none. Parameters: from, to.
SELECT toUnixTimestamp(max(s.slot)) AS slot
FROM slots AS s
WHERE s.slot >= toDateTime({from:UInt32}, 'UTC') AND s.slot < toDateTime({to:UInt32}, 'UTC')

-- name: slots
-- Computes the cube's rows of some steps from the observations, in the buckets that [from, to) touches. The view has the cube's columns, in
-- their order. Parameters: steps, from, to, revision.
INSERT INTO cube
SELECT *, {revision:UInt64}
FROM slot_rows(steps = {steps:Array(UInt32)}, from = {from:UInt32}, to = {to:UInt32})

-- name: specs
-- Computes the specs of the slots in [from, to) and of the market's next. The view has the columns of specs, in their order.
-- Parameters: from, to, since, revision.
INSERT INTO specs
SELECT *, {revision:UInt64}
FROM spec_rows(from = {from:UInt32}, to = {to:UInt32}, since = {since:UInt32})

-- name: terms
-- Computes the terms of the slots in [from, to) and of the market's next. The view has the columns of terms, in their order.
-- Parameters: from, to, since, revision.
INSERT INTO terms
SELECT *, {revision:UInt64}
FROM term_rows(from = {from:UInt32}, to = {to:UInt32}, since = {since:UInt32})

