-- name: high_occupancy
-- Slots at which more than 95 % of the GPUs of a name are rented, of at least ten, while at most 95 % were at the slot before.
-- Slots more than three intervals apart are not compared. Parameters: names Array(String), the filters, from, to, interval, the
-- parameters of a page.
SELECT gpu_name, toUnixTimestamp(slot) AS at, share AS value, share_before AS reference, 0.95 AS limit, 1 AS sample
FROM (
  SELECT
    gpu_name, slot, share, is_high,
    lagInFrame(is_high, 1, true) OVER names AS was_high,
    lagInFrame(share, 1) OVER names AS share_before,
    lagInFrame(slot, 1) OVER names AS slot_before
  FROM (
    SELECT
      gpu_name, bucket AS slot,
      (rented_verified_gpus + rented_unverified_gpus) / total_gpus AS share,
      total_gpus >= 10 AND 100 * (rented_verified_gpus + rented_unverified_gpus) > 95 * total_gpus AS is_high
    FROM cube FINAL
    WHERE step = 1
      AND {{filter_cube}}
      AND gpu_name IN {names:Array(String)}
      AND bucket >= toDateTime({from:UInt32} - 3 * {interval:UInt32}, 'UTC') AND bucket < toDateTime({to:UInt32}, 'UTC')
  )
  WINDOW names AS (PARTITION BY gpu_name ORDER BY slot ROWS BETWEEN 1 PRECEDING AND CURRENT ROW)
)
WHERE is_high AND NOT was_high AND slot - slot_before <= 3 * {interval:UInt32} AND slot >= toDateTime({from:UInt32}, 'UTC')
  {{events_page}}

-- name: low_90d
-- Whole hours whose available median is below every hourly median of the 90 days before, if the hour before was not such a low.
-- There must be a median in the day before these 90 days. Parameters: names Array(String), the filters, from, to (whole hours),
-- the parameters of a page.
SELECT gpu_name, hour AS at, median AS value, lowest AS reference, lowest AS limit, hours AS sample
FROM (
  SELECT
    gpu_name, hour, median, lowest, hours, is_low,
    lagInFrame(is_low, 1, false) OVER names AND hour - lagInFrame(hour, 1) OVER names = 3600 AS was_low
  FROM (
    SELECT
      gpu_name, hour, toFloat64(price) AS median, toFloat64(min(price) OVER days) AS lowest, count() OVER days AS hours,
      price < min(price) OVER days AND count() OVER earlier > 0 AS is_low
    FROM (
      SELECT gpu_name, toUnixTimestamp(bucket) AS hour, assumeNotNull(avail_median) AS price
      FROM cube FINAL
      WHERE step = 3600
        AND {{filter_cube}}
        AND gpu_name IN {names:Array(String)}
        AND bucket >= toDateTime(greatest({from:UInt32}, 7948800) - 7948800, 'UTC') AND bucket < toDateTime({to:UInt32}, 'UTC')
        AND avail_median IS NOT NULL
    )
    WINDOW
      days AS (PARTITION BY gpu_name ORDER BY hour RANGE BETWEEN 7776000 PRECEDING AND 3600 PRECEDING),
      earlier AS (PARTITION BY gpu_name ORDER BY hour RANGE BETWEEN 7862400 PRECEDING AND 7776000 PRECEDING)
  )
  WINDOW names AS (PARTITION BY gpu_name ORDER BY hour ROWS BETWEEN 1 PRECEDING AND CURRENT ROW)
)
WHERE is_low AND NOT was_low AND hour >= {from:UInt32}
  {{events_page}}

-- name: price_jump
-- Slots at which the available median is unusual: for the second slot in a row, ln(median) is further than 4 × 1.4826 MAD from
-- the median of the same hour of the 28 days before. At least 14 of these must be known. Slots more than three intervals apart
-- are not in a row. Medians are by nearest rank. Parameters: names Array(String), the filters, from, to, interval, the parameters
-- of a page.
WITH {from:UInt32} - 6 * {interval:UInt32} AS first_slot
SELECT
  gpu_name, toUnixTimestamp(slot) AS at,
  exp(ln_median) AS value, exp(usual) AS reference, exp(usual + if(ln_median > usual, 1, -1) * bound) AS limit, hours AS sample
FROM (
  SELECT
    gpu_name, slot, ln_median, usual, bound, hours, is_outside,
    lagInFrame(is_outside, 1, false) OVER names AND slot - lagInFrame(slot, 1) OVER names <= 3 * {interval:UInt32} AS was_outside,
    lagInFrame(is_outside, 2, false) OVER names AND lagInFrame(slot, 1) OVER names - lagInFrame(slot, 2) OVER names <= 3 * {interval:UInt32} AS was_outside_before
  FROM (
    SELECT gpu_name, slot, ln_median, usual, 4 * 1.4826 * mad AS bound, hours, hours > 0 AND abs(ln_median - usual) > bound AS is_outside
    FROM (
      SELECT gpu_name, bucket AS slot, toStartOfHour(bucket) AS hour, log(toFloat64(avail_median)) AS ln_median
      FROM cube FINAL
      WHERE step = 1
        AND {{filter_cube}}
        AND gpu_name IN {names:Array(String)}
        AND bucket >= toDateTime(first_slot, 'UTC') AND bucket < toDateTime({to:UInt32}, 'UTC')
        AND avail_median > 0
    ) AS now
    LEFT JOIN (
      SELECT
        gpu_name, hour,
        length(known) AS hours,
        arrayReduce('medianExactLow', known) AS usual,
        arrayReduce('medianExactLow', arrayMap(x -> abs(x - usual), known)) AS mad
      FROM (
        SELECT gpu_name, bucket + later * 86400 AS hour, groupArray(log(toFloat64(avail_median))) AS known
        FROM cube FINAL
        ARRAY JOIN range(1, 29) AS later
        WHERE step = 3600
          AND {{filter_cube}}
          AND gpu_name IN {names:Array(String)}
          AND bucket >= toDateTime(greatest({from:UInt32}, 2592000) - 2592000, 'UTC') AND bucket < toDateTime({to:UInt32}, 'UTC')
          -- A short range needs only a few hours of the day.
          AND positiveModulo(toInt64(toUnixTimestamp(bucket)) - intDiv(first_slot, 3600) * 3600, 86400) < {to:UInt32} - intDiv(first_slot, 3600) * 3600
          AND avail_median > 0
        GROUP BY gpu_name, hour
      )
      WHERE length(known) >= 14
    ) AS before USING (gpu_name, hour)
  )
  WINDOW names AS (PARTITION BY gpu_name ORDER BY slot ROWS BETWEEN 2 PRECEDING AND CURRENT ROW)
)
WHERE is_outside AND was_outside AND NOT was_outside_before AND slot >= toDateTime({from:UInt32}, 'UTC')
  {{events_page}}

-- name: supply_drop
-- Slots at which a GPU name has at most 80 % of the GPUs that it had an hour before, of at least ten, while the slot before had
-- more. "An hour before" is the newest slot that is at least that old, and at most three intervals older. Parameters: names
-- Array(String), the filters, from, to, interval, the parameters of a page.
WITH counts AS (
  SELECT gpu_name, slot, slot - 3600 AS hour_before, gpus
  FROM (
    SELECT arrayJoin({names:Array(String)}) AS gpu_name, slot
    FROM (
      SELECT DISTINCT s.slot AS slot FROM slots AS s
      WHERE s.ready
        AND s.slot >= toDateTime(greatest({from:UInt32}, 7200 + 9 * {interval:UInt32}) - 3600 - 9 * {interval:UInt32}, 'UTC') AND s.slot < toDateTime({to:UInt32}, 'UTC')
    )
  ) AS grid
  LEFT JOIN (
    SELECT toString(c.gpu_name) AS gpu_name, c.bucket AS slot, c.total_gpus AS gpus
    FROM cube AS c FINAL
    WHERE c.step = 1
      AND {{filter_cube}}
      AND c.gpu_name IN {names:Array(String)}
      AND c.bucket >= toDateTime(greatest({from:UInt32}, 7200 + 9 * {interval:UInt32}) - 3600 - 9 * {interval:UInt32}, 'UTC') AND c.bucket < toDateTime({to:UInt32}, 'UTC')
  ) AS found USING (gpu_name, slot)
)
SELECT gpu_name, toUnixTimestamp(slot) AS at, gpus AS value, gpus_before AS reference, 0.8 * gpus_before AS limit, 1 AS sample
FROM (
  SELECT
    gpu_name, slot, gpus, gpus_before, has_dropped,
    lagInFrame(has_dropped, 1, false) OVER names AND slot - lagInFrame(slot, 1) OVER names <= 3 * {interval:UInt32} AS had_dropped
  FROM (
    SELECT
      now.gpu_name AS gpu_name, now.slot AS slot, now.gpus AS gpus, before.gpus AS gpus_before,
      before.gpus >= 10 AND now.hour_before - before.slot <= 3 * {interval:UInt32} AND 10 * now.gpus <= 8 * before.gpus AS has_dropped
    FROM counts AS now
    ASOF LEFT JOIN counts AS before ON now.gpu_name = before.gpu_name AND now.hour_before >= before.slot
  )
  WINDOW names AS (PARTITION BY gpu_name ORDER BY slot ROWS BETWEEN 1 PRECEDING AND CURRENT ROW)
)
WHERE has_dropped AND NOT had_dropped AND slot >= toDateTime({from:UInt32}, 'UTC')
  {{events_page}}
