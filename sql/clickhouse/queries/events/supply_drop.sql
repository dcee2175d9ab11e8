-- Slots at which a GPU name has at most 80 % of the GPUs that it had an hour before, of at least ten, and the slot before had not. An hour
-- before is the newest slot that is at least that old, and at most three intervals older.
-- Parameters: names Array(String), the filters, from, to, interval, those of a page.
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
