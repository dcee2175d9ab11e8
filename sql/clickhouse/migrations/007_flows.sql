-- What happened to machines between a slot and the market's next: one row per hour, class of machines and price position.
-- A pure function of `observations` and `slots`: an hour is computed again as a whole whenever a slot is loaded into it or right behind it.
-- GPU name first, because a question asks for few names and many hours.
CREATE TABLE IF NOT EXISTS /*!$database.*/flows/*!_local ON CLUSTER $cluster*/ (
  hour         DateTime('UTC')        COMMENT 'Start of the hour of the earlier slot' CODEC(DoubleDelta, ZSTD(1)),
  gpu_name     LowCardinality(String) COMMENT 'GPU type' CODEC(ZSTD(1)),
  num_gpus     UInt16                 COMMENT 'GPUs of the whole rig' CODEC(ZSTD(1)),
  verified     Bool                   COMMENT 'Whether the machines are verified' CODEC(ZSTD(1)),
  hosting_type Enum8('unknown' = 0, 'community' = 1, 'secure_cloud' = 2) COMMENT 'Where they stand' CODEC(ZSTD(1)),
  position     UInt8                  COMMENT 'Tenth of the available GPUs of the name by price: 0 the cheapest, 9 the dearest; 10: nothing of the machine is available' CODEC(ZSTD(1)),
  exposure     UInt64                 COMMENT 'GPU-seconds that GPUs were available' CODEC(T64, ZSTD(1)),
  rentals      UInt32                 COMMENT 'GPUs that were rented' CODEC(T64, ZSTD(1)),
  withdrawn    UInt32                 COMMENT 'Available GPUs that went without being rented' CODEC(T64, ZSTD(1)),
  rental_value Decimal(18, 9)         COMMENT 'Rented GPUs times their price: USD per hour' CODEC(ZSTD(1)),
  held         UInt64                 COMMENT 'GPU-seconds that GPUs were rented' CODEC(T64, ZSTD(1)),
  returns      UInt32                 COMMENT 'Rented GPUs that came back, or went with their machine' CODEC(T64, ZSTD(1)),
  price_low    Nullable(Decimal(18, 9)) COMMENT 'Lowest price asked, USD per GPU-hour; NULL in position 10' CODEC(ZSTD(1)),
  price_high   Nullable(Decimal(18, 9)) COMMENT 'Highest price asked' CODEC(ZSTD(1)),
  revision     UInt64                 COMMENT 'The newest counts: select FINAL' CODEC(Delta, ZSTD(1))
) ENGINE = /*!Replicated*/ReplacingMergeTree(/*!'/clickhouse/tables/{shard}/$database/flows', '{replica}', */revision)
PARTITION BY toYYYYMM(hour)
ORDER BY (gpu_name, hour, num_gpus, verified, hosting_type, position)
SETTINGS index_granularity = 1024
COMMENT 'Rentals, returns and exposure per hour, class of machines and price position. Select FINAL'
