-- name: names
-- The GPU names of official aggregates.
SELECT DISTINCT gpu_name AS name FROM official ORDER BY name

-- name: points
-- Official aggregates of some GPU names by step, column by column: the counts of the newest row of a bucket, and means of its percentiles weighted by
-- GPUs. Parameters: names Array(String), verified, step, from, to.
WITH
  greatest(1, o.rented_verified_gpus + o.rented_unverified_gpus) AS rented,
  greatest(1, o.avail_verified_gpus + o.avail_unverified_gpus) AS free
SELECT
  gpu_name, intDiv(toUnixTimestamp(o.bucket), {step:UInt32}) * {step:UInt32} AS start,
  argMax(o.total, o.bucket) AS total,
  argMax(o.available, o.bucket) AS available,
  argMax(o.rented_verified, o.bucket) AS rented_verified,
  argMax(o.avail_verified, o.bucket) AS avail_verified,
  argMax(o.rented_unverified, o.bucket) AS rented_unverified,
  argMax(o.avail_unverified, o.bucket) AS avail_unverified,
  argMax(o.total_gpus, o.bucket) AS total_gpus,
  argMax(o.rented_verified_gpus, o.bucket) AS rented_verified_gpus,
  argMax(o.avail_verified_gpus, o.bucket) AS avail_verified_gpus,
  argMax(o.rented_unverified_gpus, o.bucket) AS rented_unverified_gpus,
  argMax(o.avail_unverified_gpus, o.bucket) AS avail_unverified_gpus,
  sum(toFloat64(o.rented_p10) * rented) / sumIf(rented, o.rented_p10 IS NOT NULL) AS rented_p10,
  sum(toFloat64(o.rented_median) * rented) / sumIf(rented, o.rented_median IS NOT NULL) AS rented_median,
  sum(toFloat64(o.rented_p90) * rented) / sumIf(rented, o.rented_p90 IS NOT NULL) AS rented_p90,
  sum(toFloat64(o.avail_p10) * free) / sumIf(free, o.avail_p10 IS NOT NULL) AS avail_p10,
  sum(toFloat64(o.avail_median) * free) / sumIf(free, o.avail_median IS NOT NULL) AS avail_median,
  sum(toFloat64(o.avail_p90) * free) / sumIf(free, o.avail_p90 IS NOT NULL) AS avail_p90
FROM official AS o FINAL
WHERE gpu_name IN {names:Array(String)} AND verified = {verified:String}
  AND o.bucket >= toDateTime({from:UInt32}, 'UTC') AND o.bucket < toDateTime({to:UInt32}, 'UTC')
GROUP BY gpu_name, start
ORDER BY gpu_name, start
