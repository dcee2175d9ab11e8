-- The price index of one day, as price_index stores it: one row per GPU name that was available or that is published for the day, and one
-- with an empty name for the market. `machines` to `ln_link` compare with the day before; the columns with `_28` with 28 days before.
--
-- Törnqvist on matched machines: ln link = Σ w ln(p₁ ÷ p₀) ÷ Σ w over the machines available on both days. p is the mean price of a machine's
-- available GPUs on a day, w the mean of its shares of the value (price × GPUs) of either day. Terms are summed as decimals, which gives the
-- same sum in any order, so that a row computed again is equal to the last digit.
-- Parameters: day UInt32 (unix seconds, its start).
CREATE OR REPLACE VIEW /*!$database.*/price_index_rows /*!ON CLUSTER $cluster*/ AS
WITH toDate(toDateTime({day:UInt32}, 'UTC')) AS today
SELECT
  today AS day, name AS gpu_name,
  toUInt32(anyIf(matched, lag = 1)) AS machines,
  anyIf(share, lag = 1) AS matched_share,
  anyIf(link, lag = 1) AS ln_link,
  toUInt32(anyIf(matched, lag = 28)) AS machines_28,
  anyIf(share, lag = 28) AS matched_share_28,
  anyIf(link, lag = 28) AS ln_link_28,
  lower(hex(SHA256(arrayStringConcat([
    toString(today), name,
    toString(machines), toString(toInt64(round(matched_share * 1e12))), ifNull(toString(toInt64(round(ln_link * 1e12))), ''),
    toString(machines_28), toString(toInt64(round(matched_share_28 * 1e12))), ifNull(toString(toInt64(round(ln_link_28 * 1e12))), '')
  ], '|')))) AS hash
FROM (
  SELECT
    name, lag,
    max(is_listed OR gpus > 0) AS is_shown,
    countIf(is_matched) AS matched,
    toFloat64(sum(toDecimal128(weight, 24))) AS weights,
    toFloat64(sum(toDecimal128(weight * log_ratio, 24))) AS moved,
    round(weights, 12) AS share,
    -- With fewer machines, or a smaller share of the value, the link does not represent the market.
    if(matched >= 20 AND share >= 0.3, round(moved / weights, 12), NULL) AS link
  FROM (
    SELECT
      name, lag, is_listed, gpus,
      gpus > 0 AND gpus_before > 0 AND value > 0 AND value_before > 0 AS is_matched,
      if(is_matched, (toFloat64(value) / toFloat64(sum(value) OVER names) + toFloat64(value_before) / toFloat64(sum(value_before) OVER names)) / 2, 0) AS weight,
      if(is_matched, log((toFloat64(value) / gpus) / (toFloat64(value_before) / gpus_before)), 0) AS log_ratio
    FROM (
      SELECT
        name, false AS is_listed, before.1 AS lag,
        gpus_now AS gpus, value_now AS value, before.2 AS gpus_before, before.3 AS value_before
      FROM (
        SELECT
          gpu_name, machine_id, num_gpus,
          sumIf(avail_gpus, stored.day = today) AS gpus_now,
          sumIf(avail_value, stored.day = today) AS value_now,
          [
            (1, sumIf(avail_gpus, stored.day = today - 1), sumIf(avail_value, stored.day = today - 1)),
            (28, sumIf(avail_gpus, stored.day = today - 28), sumIf(avail_value, stored.day = today - 28))
          ] AS befores
        FROM /*!$database.*/machine_days AS stored FINAL
        WHERE stored.day IN (today, today - 1, today - 28) AND avail_gpus > 0
        GROUP BY gpu_name, machine_id, num_gpus
      )
      ARRAY JOIN [toString(gpu_name), ''] AS name
      ARRAY JOIN befores AS before
      UNION ALL
      SELECT name, true, lag, 0, 0, 0, 0
      FROM (
        SELECT toString(gpu_name) AS name FROM /*!$database.*/price_index AS published WHERE published.day = today
        UNION DISTINCT
        SELECT ''
      )
      ARRAY JOIN [1, 28] AS lag
    )
    WINDOW names AS (PARTITION BY name, lag)
  )
  GROUP BY name, lag
)
GROUP BY name
HAVING max(is_shown)
