-- Slots at which the available median has left what is usual: for the second slot in a row, ln(median) is further than 4 × 1.4826 MAD from
-- the median of the same hour of the 28 days before, of which at least 14 are known. Slots more than three intervals apart are not in a row.
-- Medians are by nearest rank. Parameters: names Array(String), the filters, from, to, interval, those of a page.
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
          -- Of a short range few hours of the day are asked for.
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
