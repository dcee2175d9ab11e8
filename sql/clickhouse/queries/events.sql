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
-- Slots at which the available median is far from its level, the median of its hours in the day before, for the second slot in a row and the first time
-- in a day. Far is twice the farthest that an hour of the 28 days before this day was above its level (or below it), and at least a tenth. At least 336
-- hours must be known, and 12 of the day. Slots more than three intervals apart are not in a row. Medians are by nearest rank.
-- Parameters: names Array(String), the filters, from, to, interval, the parameters of a page.
WITH
  greatest({from:UInt32}, 86400 + 6 * {interval:UInt32}) - 86400 - 6 * {interval:UInt32} AS first_slot,
  priced AS (
    SELECT gpu_name, bucket AS slot, toStartOfHour(bucket) AS hour, log(toFloat64(avail_median)) AS ln_median
    FROM cube FINAL
    WHERE step = 1
      AND {{filter_cube}}
      AND gpu_name IN {names:Array(String)}
      AND bucket >= toDateTime(first_slot, 'UTC') AND bucket < toDateTime({to:UInt32}, 'UTC')
      AND avail_median > 0
  )
SELECT
  gpu_name, toUnixTimestamp(slot) AS at,
  exp(ln_median) AS value, exp(level) AS reference, exp(level + if(ln_median > level, highest, lowest)) AS limit, hours AS sample
FROM (
  SELECT *, max(is_second) OVER (PARTITION BY gpu_name ORDER BY toUnixTimestamp(slot) RANGE BETWEEN 86400 PRECEDING AND 1 PRECEDING) AS was_known
  FROM (
    SELECT
      *, is_outside AND lagInFrame(is_outside, 1, false) OVER names AND slot - lagInFrame(slot, 1) OVER names <= 3 * {interval:UInt32} AS is_second
    FROM (
      SELECT
        gpu_name, slot, ln_median, level, highest, lowest, hours,
        hours >= 336 AND level IS NOT NULL AND (ln_median - level > highest OR ln_median - level < lowest) AS is_outside
      FROM priced
      INNER JOIN (
        SELECT
          gpu_name, hour, level,
          greatest(ifNull(2 * max(away) OVER month, 0), log(1.1)) AS highest,
          least(ifNull(2 * min(away) OVER month, 0), -log(1.1)) AS lowest,
          count(away) OVER month AS hours
        FROM (
          SELECT
            gpu_name, hour,
            groupArray(ln_hour) OVER day AS known,
            if(length(known) < 12, NULL, arrayReduce('medianExactLow', known)) AS level,
            ln_hour - level AS away
          FROM (
            SELECT gpu_name, hour, max(ln_known) AS ln_hour
            FROM (
              SELECT gpu_name, toUnixTimestamp(bucket) AS hour, toNullable(log(toFloat64(avail_median))) AS ln_known
              FROM cube FINAL
              WHERE step = 3600
                AND {{filter_cube}}
                AND gpu_name IN {names:Array(String)}
                AND bucket >= toDateTime(greatest({from:UInt32}, 2764800) - 2764800, 'UTC') AND bucket < toDateTime({to:UInt32}, 'UTC')
                AND avail_median > 0
              UNION ALL
              -- The newest hour may have no row of its own yet.
              SELECT gpu_name, toUnixTimestamp(hour) AS hour, NULL AS ln_known FROM priced
            )
            GROUP BY gpu_name, hour
          )
          WINDOW day AS (PARTITION BY gpu_name ORDER BY hour RANGE BETWEEN 86400 PRECEDING AND 3600 PRECEDING)
        )
        WINDOW month AS (PARTITION BY gpu_name ORDER BY hour RANGE BETWEEN 2505600 PRECEDING AND 90000 PRECEDING)
      ) AS usual ON usual.gpu_name = priced.gpu_name AND usual.hour = toUnixTimestamp(priced.hour)
    )
    WINDOW names AS (PARTITION BY gpu_name ORDER BY slot ROWS BETWEEN 1 PRECEDING AND CURRENT ROW)
  )
)
WHERE is_second AND NOT was_known AND slot >= toDateTime({from:UInt32}, 'UTC')
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
