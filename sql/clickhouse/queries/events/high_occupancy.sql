-- Slots at which more than 95 % of the GPUs of a name are rented, of at least ten, and at the slot before were not. Slots more than three
-- intervals apart are not compared. Parameters: names Array(String), the filters, from, to, interval, those of a page.
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
