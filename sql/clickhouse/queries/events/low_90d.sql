-- Whole hours whose available median is below every hourly median of the 90 days before, where the hour before was not such a low. There must be
-- a median in the day before these 90 days. Parameters: names Array(String), the filters, from, to (whole hours), those of a page.
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
