-- The terms of listings: one row per machine and slot at which they were others than at the market's slot before.
-- A pure function of `observations` and `slots`: it does not depend on when, how often or in which order slots are loaded.
CREATE TABLE IF NOT EXISTS /*!$database.*/terms/*!_local ON CLUSTER $cluster*/ (
  slot                DateTime('UTC')           COMMENT 'From this slot on' CODEC(Delta, ZSTD(1)),
  gpu_name            LowCardinality(String)    COMMENT 'GPU type' CODEC(ZSTD(1)),
  machine_id          UInt64                    COMMENT 'The rig' CODEC(Delta, ZSTD(1)),
  min_bid             Nullable(Decimal(18, 9))  COMMENT 'Lowest bid for an interruptible rental, USD per GPU-hour; NULL here and below: not known' CODEC(ZSTD(1)),
  end_date            Nullable(DateTime('UTC')) COMMENT 'When the listing ends, the latest end of a rental' CODEC(ZSTD(1)),
  credit_discount_max Nullable(Decimal(18, 9))  COMMENT 'Largest discount for credit paid in advance, 0 to 1' CODEC(ZSTD(1)),
  reliability         Nullable(Decimal(18, 9))  COMMENT 'How reliable the marketplace holds the machine to be, 0 to 1' CODEC(ZSTD(1)),
  storage_cost        Nullable(Decimal(18, 9))  COMMENT 'USD per GB and month' CODEC(ZSTD(1)),
  inet_up_cost        Nullable(Decimal(18, 9))  COMMENT 'USD per GB sent' CODEC(ZSTD(1)),
  inet_down_cost      Nullable(Decimal(18, 9))  COMMENT 'USD per GB received' CODEC(ZSTD(1)),
  revision            UInt64                    COMMENT 'The newest counts: select FINAL' CODEC(Delta, ZSTD(1))
) ENGINE = /*!Replicated*/ReplacingMergeTree(/*!'/clickhouse/tables/{shard}/$database/terms', '{replica}', */revision)
PARTITION BY toYYYYMM(slot)
ORDER BY (gpu_name, machine_id, slot)
SETTINGS index_granularity = 1024
COMMENT 'Terms of listings whenever they change. All NULL: not known from then on, or the machine left. Select FINAL'
