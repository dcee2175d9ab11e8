-- The rows of price_histogram of the hours in [from, to), from the observations.
--
-- The bin of a price at which GPUs were rented is where hosts see it. Bins are cells of a fixed grid, 0.01 × 2^level wide, for each GPU name, size of memory and
-- value of `verified`, and each holds at least 3 hosts and 10 GPUs in every slot of the hour. Where one of them would not, all that are in the cell twice as wide
-- are in one bin. Machines without a known host count as of one host. A bin never depends on a question, and two bins either have no price in common
-- or one holds the other, so differences of answers are sums over whole bins. What was recorded from outside (an import) is public, and keeps its price.
-- Parameters: from, to UInt32 (unix seconds, whole hours).
CREATE OR REPLACE VIEW /*!$database.*/histogram_rows/*! ON CLUSTER $cluster*/ AS
SELECT
  hour, gpu_name, {{filter_columns}}, rented, price, any(sums.gpus) AS gpus,
  toUInt8(multiIf(NOT rented, 0, any(is_public), 1, max(is_thin * level) = 12, 255, 2 + max(is_thin * level))) AS bin
FROM (
  SELECT
    *, toUInt8(arrayJoin(range(1, rented ? 13 : 2))) AS level,
    intDiv(reinterpretAsInt64(price), bitShiftLeft(toInt64(10000000), level)) AS cell
  FROM (
    SELECT
      toStartOfHour(slot) AS hour, gpu_name, {{filter_columns}}, rented, price, sum(o.gpus) AS gpus,
      min(min(source NOT IN ('market', 'simulated'))) OVER (PARTITION BY hour, gpu_name, gpu_memory, verified, rented, price) AS is_public
    FROM /*!$database.*/observations AS o
    WHERE slot >= toDateTime({from:UInt32}, 'UTC') AND slot < toDateTime({to:UInt32}, 'UTC')
    GROUP BY hour, gpu_name, {{filter_columns}}, rented, price
  )
) AS sums
LEFT JOIN (
  -- Cells one level up from those that hold too few in some slot.
  SELECT DISTINCT toStartOfHour(slot) AS hour, gpu_name, gpu_memory, verified, toUInt8(level + 1) AS level, intDiv(cell, 2) AS cell, 1 AS is_thin
  FROM (
    SELECT
      slot, gpu_name, gpu_memory, verified,
      arrayJoin(range(12)) AS level,
      intDiv(finest, bitShiftLeft(toInt64(1), level)) AS cell
    FROM (
      SELECT
        slot, gpu_name, gpu_memory, verified,
        intDiv(reinterpretAsInt64(price), 10000000) AS finest,
        uniqUpToState(2)(ifNull(host_id, 0)) AS hosts, sum(gpus) AS gpus
      FROM /*!$database.*/observations
      WHERE source IN ('market', 'simulated')
        AND slot >= toDateTime({from:UInt32}, 'UTC') AND slot < toDateTime({to:UInt32}, 'UTC')
      GROUP BY slot, gpu_name, gpu_memory, verified, finest
    )
    GROUP BY slot, gpu_name, gpu_memory, verified, level, cell
    HAVING uniqUpToMerge(2)(hosts) < 3 OR sum(gpus) < 10
  )
) AS thin USING (hour, gpu_name, gpu_memory, verified, level, cell)
GROUP BY hour, gpu_name, {{filter_columns}}, rented, price
