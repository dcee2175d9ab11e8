-- The published days of the price index: one row per day, GPU name and edition. A row is never changed: when what it was computed from
-- changes and its content with it, the next edition is added. No partitions: the rows of a day are one block, there or not.
CREATE TABLE IF NOT EXISTS /*!$database.*/price_index/*!_local ON CLUSTER $cluster*/ (
  day              Date                   COMMENT 'Day in UTC' CODEC(Delta, ZSTD(1)),
  gpu_name         LowCardinality(String) COMMENT 'GPU type; empty: the whole market' CODEC(ZSTD(1)),
  edition          UInt32                 COMMENT '1, or higher when the day was published again: the highest counts' CODEC(ZSTD(1)),
  reason           LowCardinality(String) COMMENT 'Why this edition was published' CODEC(ZSTD(1)),
  machines         UInt32                 COMMENT 'Machines available on this day and the day before' CODEC(ZSTD(1)),
  matched_share    Float64                COMMENT 'Their share of the value of both days, rounded to 1e-12' CODEC(ZSTD(1)),
  ln_link          Nullable(Float64)      COMMENT 'ln of the price change from the day before, rounded to 1e-12; NULL: too few machines' CODEC(ZSTD(1)),
  machines_28      UInt32                 COMMENT 'Machines available on this day and 28 days before' CODEC(ZSTD(1)),
  matched_share_28 Float64                COMMENT 'Their share of the value of both days' CODEC(ZSTD(1)),
  ln_link_28       Nullable(Float64)      COMMENT 'ln of the price change from 28 days before, compared directly' CODEC(ZSTD(1)),
  hash             String                 COMMENT 'SHA-256 of day, gpu_name and the figures' CODEC(ZSTD(1)),
  published_at     DateTime('UTC') DEFAULT now() COMMENT 'When' CODEC(ZSTD(1)),
  revision         UInt64                 COMMENT 'The newest counts: select FINAL' CODEC(ZSTD(1))
) ENGINE = /*!Replicated*/ReplacingMergeTree(/*!'/clickhouse/tables/{shard}/$database/price_index', '{replica}', */revision)
ORDER BY (gpu_name, day, edition)
COMMENT 'The price index: links of consecutive days, published once. The highest edition counts. Select FINAL'
