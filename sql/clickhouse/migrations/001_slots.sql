-- The ledger of the series: one row per slot that the market was looked at, whether or not anything was on it.
-- `ready` turns true when every row derived from the slot is in place, so readers never see half a slot.
CREATE TABLE IF NOT EXISTS /*!$database.*/slots/*!_local ON CLUSTER $cluster*/ (
  slot         DateTime('UTC') CODEC(DoubleDelta, ZSTD(1)),
  source       LowCardinality(String),             -- market | simulated | the format of an import
  observations UInt32,
  ready        Bool,
  revision     UInt64                              -- from one Postgres sequence: newest wins, whatever the clocks say
) ENGINE = /*!Replicated*/ReplacingMergeTree(/*!'/clickhouse/tables/{shard}/$database/slots', '{replica}', */revision)
ORDER BY (slot, source)
