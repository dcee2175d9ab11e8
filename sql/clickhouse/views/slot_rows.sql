-- Every figure of the history, from the observations: the cube's rows of the given steps, per filter, GPU name and bucket that [from, to)
-- touches.
-- A new count is defined here, a sum also in bucket_rows.sql, a percentile of prices in both parts of fragments/prices.sql.
-- Counts and performance are taken at the bucket's last slot in the ledger; a GPU name that is not on the market then has zero and NULL.
-- Prices and sums pool the whole bucket.
-- `last_ask_diff` is the distance of the last slot's median ask from the bucket's, for performance per dollar (fragments/performance.sql).
-- Percentiles are weighted by GPUs, nearest rank (the smallest price such that at least p of the weight is at or below it), and NULL when
-- no GPU is in that state. Sums begin with pooled_, and are 0 in steps shorter than an hour.
-- Prices are counted once for each class of machines, and the filters add classes up.
-- Do not nest parameterized views here: ClickHouse plans the text of such a view twice, and a view in it four times.
-- Parameters: steps Array(UInt32), 1 for single slots; from, to UInt32 (seconds).
CREATE OR REPLACE VIEW /*!$database.*/slot_rows/*!_local ON CLUSTER $cluster*/ AS
SELECT * EXCEPT (all_rented, all_avail, rented_prices, avail_prices)
FROM (
  SELECT
    step,
    {{filter_lattice_columns}},
    gpu_name,
    bucket,
    toUInt16(any(one_size)) AS only_memory,
    toUInt32(sum(rented_machines) + sum(avail_machines)) AS total,
    toUInt32(sum(avail_machines)) AS available,
    toUInt32(sumIf(rented_machines, is_verified)) AS rented_verified,
    toUInt32(sumIf(avail_machines, is_verified)) AS avail_verified,
    toUInt32(sumIf(rented_machines, NOT is_verified)) AS rented_unverified,
    toUInt32(sumIf(avail_machines, NOT is_verified)) AS avail_unverified,
    toUInt32(sum(rented_gpus) + sum(avail_gpus)) AS total_gpus,
    toUInt32(sumIf(rented_gpus, is_verified)) AS rented_verified_gpus,
    toUInt32(sumIf(avail_gpus, is_verified)) AS avail_verified_gpus,
    toUInt32(sumIf(rented_gpus, NOT is_verified)) AS rented_unverified_gpus,
    toUInt32(sumIf(avail_gpus, NOT is_verified)) AS avail_unverified_gpus,
    quantileExactWeightedIfMerge(0.9)(tflops_state) AS tflops,
    quantileExactWeightedIfMerge(0.9)(dlperf_state) AS dlperf,
    CAST(if(sum(avail_gpus) = 0 OR step = 1, 0, quantileExactWeightedIfMerge(0.5)(last_state) - avail_median), 'Nullable(Decimal(18, 9))') AS last_ask_diff,
    CAST(if(sum(rented_gpus) = 0, 0, if(uniqUpToIfMerge(4)(rented_machine_state) < 5 OR uniqUpToIfMerge(2)(rented_host_state) < 3, 1, 2)), {{thin_type}}) AS rented_thin,
    CAST(if(sum(avail_gpus) = 0, 0, if(uniqUpToIfMerge(4)(avail_machine_state) < 5 OR uniqUpToIfMerge(2)(avail_host_state) < 3, 1, 2)), {{thin_type}}) AS avail_thin,
    quantilesExactWeightedIfMerge({{price_percentiles}})(rented_state) AS rented_prices,
    quantilesExactWeightedIfMerge({{price_percentiles}})(avail_state) AS avail_prices,
    sum(rented_weight) AS all_rented,
    sum(avail_weight) AS all_avail,
    {{price_columns}},
    if(step % 3600 = 0, all_rented + all_avail, 0) AS pooled_gpus,
    if(step % 3600 = 0, all_rented, 0) AS pooled_rented_gpus,
    if(step % 3600 = 0, sum(value), 0) AS pooled_value
  FROM (
    SELECT
      step, toDateTime(intDiv(time, step) * step, 'UTC') AS bucket,
      gpu_name, {{filter_classes}},
      {{one_size}},
      sumIf(machines, is_last AND rented) AS rented_machines,
      sumIf(machines, is_last AND NOT rented) AS avail_machines,
      sumIf(gpus, is_last AND rented) AS rented_gpus,
      sumIf(gpus, is_last AND NOT rented) AS avail_gpus,
      quantileExactWeightedIfState(0.9)(o.tflops, gpus, is_last) AS tflops_state,
      quantileExactWeightedIfState(0.9)(o.dlperf, gpus, is_last) AS dlperf_state,
      quantileExactWeightedIfState(0.5)(price, gpus, is_last AND NOT rented AND step > 1) AS last_state,
      uniqUpToIfState(4)(machine_id, is_last AND rented) AS rented_machine_state,
      uniqUpToIfState(4)(machine_id, is_last AND NOT rented) AS avail_machine_state,
      uniqUpToIfState(2)({{host_of_machine}}, is_last AND rented) AS rented_host_state,
      uniqUpToIfState(2)({{host_of_machine}}, is_last AND NOT rented) AS avail_host_state,
      sumIf(gpus, rented) AS rented_weight,
      sumIf(gpus, NOT rented) AS avail_weight,
      sumIf(toDecimal128(price, 9) * gpus, rented) AS value,
      quantilesExactWeightedIfState({{price_percentiles}})(price, gpus, rented) AS rented_state,
      quantilesExactWeightedIfState({{price_percentiles}})(price, gpus, NOT rented) AS avail_state
    FROM (
      SELECT
        *, toUnixTimestamp(slot) AS time,
        arrayJoin(arrayFilter(
          step -> time >= intDiv({from:UInt32}, step) * step AND time < intDiv({to:UInt32} + step - 1, step) * step,
          {steps:Array(UInt32)}
        )) AS step,
        (step, time) IN (
          SELECT step, max(toUnixTimestamp(s.slot))
          FROM /*!$database.*/slots AS s ARRAY JOIN {steps:Array(UInt32)} AS step
          WHERE s.slot >= toDateTime(arrayMin(step -> intDiv({from:UInt32}, step) * step, {steps:Array(UInt32)}), 'UTC')
            AND s.slot < toDateTime(arrayMax(step -> intDiv({to:UInt32} + step - 1, step) * step, {steps:Array(UInt32)}), 'UTC')
          GROUP BY step, intDiv(toUnixTimestamp(s.slot), step)
        ) AS is_last
      FROM /*!$database.*/observations/*!_local*/
      WHERE slot >= toDateTime(arrayMin(step -> intDiv({from:UInt32}, step) * step, {steps:Array(UInt32)}), 'UTC')
        AND slot < toDateTime(arrayMax(step -> intDiv({to:UInt32} + step - 1, step) * step, {steps:Array(UInt32)}), 'UTC')
    ) AS o
    GROUP BY step, bucket, gpu_name, {{filter_class}}
    WINDOW sizes AS (PARTITION BY step, bucket, gpu_name)
  )
  {{filter_lattice}}
)
