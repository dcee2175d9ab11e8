-- name: machines
-- Incomes of machines of some GPU names in the 30 days before `to`, by rig size, smallest rentable part, days until the listing ends and minimum bid: a row per
-- class, machine, term and level. `level` is the number of GPUs, the index of the last of `days` that is not above the days left, or of the last of
-- `shares` that is not above minimum bid ÷ price. A day has the terms of the last slot of the market on it, and a term that is not known then is of the
-- newest day before. Days without any are left out. Parameters: names Array(String); the filters of the market; to (start of a day); days Array(Int32),
-- shares Array(Float64); end_place, bid_place UInt8: places in the terms of an observation.
WITH
  toDate(toDateTime({to:UInt32}, 'UTC')) AS end,
  ({{last_slots_of_days}}) AS last_slots
SELECT
  gpu_name, memory, rig, machine_id, bounds.1 AS term, bounds.2 AS level,
  argMax(host_key, day) AS host,
  argMax(stratum, day) AS stratum,
  toUnixTimestamp(max(day)) AS last_day,
  toUInt32(count()) AS days,
  sum(busy) AS rented, sum(all_gpus) AS gpus, sum(earned) AS paid
FROM (
  SELECT
    *,
    last_value(part) OVER machine AS known_part,
    last_value(ends_at) OVER machine AS known_end,
    last_value(bid) OVER machine AS known_bid,
    intDiv(known_end - toUnixTimestamp(day) - 86400, 86400) AS left,
    known_bid / price AS share,
    [
      ('num_gpus', toNullable(toInt32(rig))),
      ('min_gpus', toInt32(known_part)),
      ('days_left', toInt32(greatest(1, arrayCount(one -> ifNull(one <= left, 0), {days:Array(Int32)})) - 1 + 0 * left)),
      ('min_bid', toInt32(greatest(1, arrayCount(one -> ifNull(one <= share, 0), {shares:Array(Float64)})) - 1 + 0 * share))
    ] AS levels
  FROM (
    SELECT
      gpu_name, machine_id, day, gpu_memory AS memory, num_gpus AS rig,
      toString(({{host_of_machine}})) AS host_key,
      concat(toString(verified), ' ', toString(hosting_type)) AS stratum,
      rented_gpus AS busy, rented_gpus + avail_gpus AS all_gpus, toFloat64(rented_value) AS earned,
      toFloat64(rented_value + avail_value) / all_gpus AS price
    FROM machine_days FINAL
    WHERE day >= end - 30 AND day < end AND gpu_name IN {names:Array(String)} AND {{filter_machine_days}}
  ) AS of_day
  LEFT JOIN (
    SELECT
      gpu_name, machine_id, num_gpus AS rig, toDate(slot) AS day,
      min(min_gpus) AS part,
      JSONExtract(max(toString(terms)), 'Array(Nullable(Float64))') AS texts,
      toInt64(texts[{end_place:UInt8}]) AS ends_at,
      texts[{bid_place:UInt8}] AS bid
    FROM observations
    WHERE slot IN (SELECT arrayJoin(last_slots)) AND gpu_name IN {names:Array(String)}
    GROUP BY gpu_name, machine_id, rig, day
  ) AS seen USING (gpu_name, machine_id, rig, day)
  WINDOW machine AS (PARTITION BY gpu_name, machine_id, rig ORDER BY day)
)
ARRAY JOIN levels AS bounds
WHERE bounds.2 IS NOT NULL
GROUP BY gpu_name, memory, rig, machine_id, term, level
ORDER BY gpu_name, memory, rig, machine_id, term, level
