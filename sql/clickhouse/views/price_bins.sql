-- In which bin hosts see each price at which GPUs were rented, per bucket of [from, to), GPU name and `verified`. Codes: column bin of price_histogram.
--
-- Bins are cells of a fixed grid, 0.01 × 2^level wide, and each holds at least 3 hosts and 10 GPUs in every slot of the bucket. Where one of them
-- would not, all that are in the cell twice as wide are in one bin. Machines without a known host count as of one host. A bin never depends on a
-- question, and two bins either have no price in common or one holds the other, so differences of answers are sums over whole bins.
-- What was recorded from outside (an import) is public, and keeps its price.
-- Parameters: names Array(String) (none: all), from, to (on the step), step.
CREATE OR REPLACE VIEW /*!$database.*/price_bins/*! ON CLUSTER $cluster*/ AS
SELECT
  bucket, gpu_name, verified, price,
  toUInt8(if(any(is_public), 1, if(max(is_thin * level) = 12, 255, 2 + max(is_thin * level)))) AS bin
FROM (
  SELECT
    bucket, gpu_name, verified, price, is_public,
    toUInt8(arrayJoin(range(1, 13))) AS level,
    intDiv(reinterpretAsInt64(price), bitShiftLeft(toInt64(10000000), level)) AS cell
  FROM (
    SELECT
      intDiv(toUnixTimestamp(slot), {step:UInt32}) * {step:UInt32} AS bucket, gpu_name, verified, price,
      min(source NOT IN ('market', 'simulated')) AS is_public
    FROM /*!$database.*/observations
    WHERE rented AND (empty({names:Array(String)}) OR gpu_name IN {names:Array(String)})
      AND slot >= toDateTime({from:UInt32}, 'UTC') AND slot < toDateTime({to:UInt32}, 'UTC')
    GROUP BY bucket, gpu_name, verified, price
  )
) AS prices
LEFT JOIN (
  -- Cells one level up from those that hold too few in some slot.
  SELECT DISTINCT bucket, gpu_name, verified, toUInt8(level + 1) AS level, intDiv(cell, 2) AS cell, 1 AS is_thin
  FROM (
    SELECT
      slot, bucket, gpu_name, verified,
      arrayJoin(range(12)) AS level,
      intDiv(finest, bitShiftLeft(toInt64(1), level)) AS cell
    FROM (
      SELECT
        slot, intDiv(toUnixTimestamp(slot), {step:UInt32}) * {step:UInt32} AS bucket, gpu_name, verified,
        intDiv(reinterpretAsInt64(price), 10000000) AS finest,
        groupUniqArray(ifNull(host_id, 0)) AS hosts, sum(gpus) AS gpus
      FROM /*!$database.*/observations
      WHERE source IN ('market', 'simulated') AND (empty({names:Array(String)}) OR gpu_name IN {names:Array(String)})
        AND slot >= toDateTime({from:UInt32}, 'UTC') AND slot < toDateTime({to:UInt32}, 'UTC')
      GROUP BY slot, gpu_name, verified, finest
    )
    GROUP BY slot, bucket, gpu_name, verified, level, cell
    HAVING uniqExactArray(hosts) < 3 OR sum(gpus) < 10
  )
) AS thin USING (bucket, gpu_name, verified, level, cell)
GROUP BY bucket, gpu_name, verified, price
