-- The cube's rows of steps of whole hours over the buckets that [from, to) touches. They equal the rows of slot_rows.sql, without
-- reading observations: prices and sums are pooled from the widest stored price steps that fit. All other columns are read from
-- the cube's row of the bucket's last slot. Parameters: steps Array(UInt32); from, to UInt32 (seconds).
CREATE OR REPLACE VIEW /*!$database.*/bucket_rows/*!_local ON CLUSTER $cluster*/ AS
WITH last_slots AS (
  SELECT step, toDateTime(intDiv(toUnixTimestamp(s.slot), step) * step, 'UTC') AS bucket, max(s.slot) AS last
  FROM /*!$database.*/slots AS s
  ARRAY JOIN {steps:Array(UInt32)} AS step
  WHERE s.slot >= toDateTime(intDiv({from:UInt32}, step) * step, 'UTC')
    AND s.slot < toDateTime(intDiv({to:UInt32} + step - 1, step) * step, 'UTC')
  GROUP BY step, bucket
)
SELECT
  step, {{filter_columns}}, gpu_name, bucket, only_memory,
  state.* EXCEPT (step, {{filter_columns}}, gpu_name, bucket, last_ask)
    REPLACE (CAST(if(state.last_ask IS NULL, 0, state.last_ask - avail_median), 'Nullable(Decimal(18, 9))') AS last_ask_diff),
  {{price_columns}},
  all_rented + all_avail AS pooled_gpus, all_rented AS pooled_rented_gpus, pooled_value
FROM (
  SELECT
    step,
    {{filter_lattice_columns}},
    gpu_name,
    bucket,
    toUInt16(any(one_size)) AS only_memory,
    quantilesExactWeightedIfMerge({{price_percentiles}})(rented_state) AS rented_prices,
    quantilesExactWeightedIfMerge({{price_percentiles}})(avail_state) AS avail_prices,
    sum(rented_gpus) AS all_rented,
    sum(avail_gpus) AS all_avail,
    sum(value) AS pooled_value
  FROM (
    SELECT
      arrayJoin(arrayFilter(
        step -> multiIf(step % 86400 = 0, 86400, step % 21600 = 0, 21600, 3600) = stored_step
          AND time >= intDiv({from:UInt32}, step) * step AND time < intDiv({to:UInt32} + step - 1, step) * step,
        {steps:Array(UInt32)}
      )) AS step,
      toDateTime(intDiv(time, step) * step, 'UTC') AS bucket,
      gpu_name, {{filter_class}},
      {{one_size}},
      sumIf(gpus, rented) AS rented_gpus,
      sumIf(gpus, NOT rented) AS avail_gpus,
      sumIf(toDecimal128(price, 9) * gpus, rented) AS value,
      quantilesExactWeightedIfState({{price_percentiles}})(price, gpus, rented) AS rented_state,
      quantilesExactWeightedIfState({{price_percentiles}})(price, gpus, NOT rented) AS avail_state
    FROM (
      SELECT
        3600 AS stored_step, toUnixTimestamp(hour) AS time,
        gpu_name, {{filter_classes}}, rented, price, gpus
      FROM /*!$database.*/price_histogram/*!_local*/ FINAL
      WHERE hour >= toDateTime(arrayMin(step -> if(step % 21600 = 0, {from:UInt32}, intDiv({from:UInt32}, step) * step), {steps:Array(UInt32)}), 'UTC')
        AND hour < toDateTime(arrayMax(step -> if(step % 21600 = 0, {to:UInt32}, intDiv({to:UInt32} + step - 1, step) * step), {steps:Array(UInt32)}), 'UTC')
      UNION ALL
      SELECT step, toUnixTimestamp(bucket), gpu_name, {{machine_columns}}, rented, price, gpus
      FROM /*!$database.*/price_steps/*!_local*/ FINAL
      WHERE step = 21600
        AND bucket >= toDateTime(arrayMin(step -> if(step % 86400 = 0, {from:UInt32}, intDiv({from:UInt32}, step) * step), {steps:Array(UInt32)}), 'UTC')
        AND bucket < toDateTime(arrayMax(step -> if(step % 86400 = 0, {to:UInt32}, intDiv({to:UInt32} + step - 1, step) * step), {steps:Array(UInt32)}), 'UTC')
        OR step = 86400
        AND bucket >= toDateTime(arrayMin(step -> intDiv({from:UInt32}, step) * step, {steps:Array(UInt32)}), 'UTC')
        AND bucket < toDateTime(arrayMax(step -> intDiv({to:UInt32} + step - 1, step) * step, {steps:Array(UInt32)}), 'UTC')
    )
    GROUP BY step, bucket, gpu_name, {{filter_class}}
    WINDOW sizes AS (PARTITION BY step, bucket, gpu_name)
  )
  {{filter_lattice}}
) AS prices
LEFT JOIN (
  SELECT last_slots.step AS step, last_slots.bucket AS bucket, slot_row.* EXCEPT slot
  FROM (
    -- A slot with one size of memory also answers for this size: its bucket may have several.
    SELECT
      * EXCEPT ('^(step|bucket|gpu_memory|only_memory|revision)$|^pooled_|_(p[0-9]+|median)$'), memory AS gpu_memory, one.bucket AS slot, one.avail_median AS last_ask
    FROM /*!$database.*/cube/*!_local*/ AS one FINAL
    ARRAY JOIN if(one.only_memory = 0, [one.gpu_memory], [toUInt16(0), one.only_memory]) AS memory
    WHERE one.step = 1 AND one.bucket IN (SELECT last FROM last_slots)
  ) AS slot_row
  INNER JOIN last_slots ON last_slots.last = slot_row.slot
) AS state USING (step, {{filter_columns}}, gpu_name, bucket)
