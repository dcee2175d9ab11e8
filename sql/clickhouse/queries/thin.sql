-- name: buckets
-- The thin marks of buckets by GPU name: true if the prices come from fewer than 5 machines or fewer than 3 hosts. A machine whose host is not known
-- counts as a host of its own.
-- Parameters: names Array(String), the filters, step, from, to (on the step).
SELECT
  gpu_name,
  intDiv(toUnixTimestamp(slot), {step:UInt32}) * {step:UInt32} AS start,
  countIf(rented) > 0 AS any_rented,
  countIf(NOT rented) > 0 AS any_avail,
  NOT ({{enough_rented}}) AS rented_thin,
  uniqUpToIf(4)(machine_id, NOT rented) < 5 OR uniqUpToIf(2)({{host_of_machine}}, NOT rented) < 3 AS avail_thin
FROM observations
WHERE gpu_name IN {names:Array(String)}
  AND slot >= toDateTime({from:UInt32}, 'UTC') AND slot < toDateTime({to:UInt32}, 'UTC')
  AND {{filter_machines}}
GROUP BY gpu_name, start

-- name: stored
-- The marks of the cube on the prices of a bucket: none (no prices), no (not thin), yes (thin), or unknown. A bucket is not thin if one of its slots
-- is not.
-- The cube has the mark of the last slot only: a thin last slot decides the bucket only if it has one slot; otherwise the mark is unknown.
-- Parameters: names Array(String), the filters, stored_step (1 where each bucket has one slot), step, from, to (on the step).
SELECT
  gpu_name,
  intDiv(toUnixTimestamp(bucket), {step:UInt32}) * {step:UInt32} AS start,
  multiIf(
    countIf(rented_median IS NOT NULL) = 0, 'none',
    countIf(rented_thin = 'no') > 0, 'no',
    {stored_step:UInt32} = 1 AND countIf(rented_thin = 'yes') > 0, 'yes', 'unknown'
  ) AS rented,
  multiIf(
    countIf(avail_median IS NOT NULL) = 0, 'none',
    countIf(avail_thin = 'no') > 0, 'no',
    {stored_step:UInt32} = 1 AND countIf(avail_thin = 'yes') > 0, 'yes', 'unknown'
  ) AS avail
FROM cube FINAL
WHERE {{filter_cube}}
  AND gpu_name IN {names:Array(String)}
  AND step = {stored_step:UInt32}
  AND bucket >= toDateTime({from:UInt32}, 'UTC') AND bucket < toDateTime({to:UInt32}, 'UTC')
GROUP BY gpu_name, start
