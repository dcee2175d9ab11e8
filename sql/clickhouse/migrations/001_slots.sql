-- The ledger of the series: one row per slot in which the market was captured, even when the market was empty.
-- `ready` turns true when every row derived from the slot is in place, so readers never see half a slot.
CREATE TABLE IF NOT EXISTS /*!$database.*/slots/*!_local ON CLUSTER $cluster*/ (
  slot         DateTime('UTC')        COMMENT 'Start of the slot' CODEC(DoubleDelta, ZSTD(1)),
  source       LowCardinality(String) COMMENT 'market, simulated, or the format of an import',
  observations UInt32                 COMMENT 'Rows of the slot in observations',
  ready        Bool                   COMMENT 'Whether everything derived from it is in place',
  -- From one Postgres sequence, because clocks can step back.
  revision     UInt64                 COMMENT 'The newest counts: select FINAL'
) ENGINE = /*!Replicated*/ReplacingMergeTree(/*!'/clickhouse/tables/{shard}/$database/slots', '{replica}', */revision)
ORDER BY (slot, source)
COMMENT 'When the market was looked at: one row per slot'
