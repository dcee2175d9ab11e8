-- Hours with slots that readers see, and without the rows that are computed for every such hour, by table. Of the cube the rows without a filter
-- are looked for, which are few. Parameters: steps Array(UInt32), those of the cube; price_steps Array(UInt32); filled: from when on price steps are there.
WITH seen AS (
  SELECT DISTINCT toUnixTimestamp(slot) AS slot, intDiv(slot, 3600) * 3600 AS hour
  FROM slots FINAL
  WHERE ready AND observations > 0
)
SELECT table, hour FROM (
  SELECT DISTINCT 'cube' AS table, hour
  FROM (SELECT hour, arrayJoin({steps:Array(UInt32)}) AS step, intDiv(slot, step) * step AS bucket FROM seen)
  WHERE (step, bucket) /*!GLOBAL*/ NOT IN (
    SELECT DISTINCT step, toUnixTimestamp(bucket)
    FROM cube
    WHERE has({steps:Array(UInt32)}, step) AND verified = 'all' AND hosting_type = 'all' AND num_gpus = 0 AND gpu_memory = 0
  )
  UNION ALL
  SELECT DISTINCT 'price_histogram' AS table, hour
  FROM seen
  WHERE hour /*!GLOBAL*/ NOT IN (SELECT DISTINCT toUnixTimestamp(hour) FROM price_histogram)
  UNION ALL
  SELECT DISTINCT 'price_steps' AS table, hour
  FROM (SELECT hour, arrayJoin({price_steps:Array(UInt32)}) AS step, intDiv(hour, step) * step AS bucket FROM seen)
  WHERE hour >= {filled:UInt32} AND (step, bucket) /*!GLOBAL*/ NOT IN (SELECT DISTINCT step, toUnixTimestamp(bucket) FROM price_steps)
)
ORDER BY hour, table
