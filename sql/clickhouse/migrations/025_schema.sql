-- The tables of the last release (commit f3fc77a8), one statement each. Databases that this release made have them already.

-- name: slots
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

-- name: observations
-- The observations: one row for each slot, machine, state and price. Every number is computed from them, and no row of them is ever rewritten.
-- Layout: a machine hardly changes from slot to slot, so its slots of one day stand together and compress to almost
-- nothing. `slot` is in the sorting key but not in the primary key: right behind toDate(slot) it would defeat pruning by day.
-- `terms` is one text: terms seldom change, so a day of a machine takes hardly more than one of them, and the dictionary of the column holds each text
-- once. Delta on `host_id`: without it the accounts alone would take four times the bytes of all other columns.
-- Parts: each load, and most questions about the present, read the newest slots. A part of one slot is skipped by its time, but a slot in a part of
-- many takes as long as its day. A new slot is as large on disk as a merged day, so ClickHouse would merge it at once. With 48 parts and slots of five
-- minutes, the last hour is read from parts of one slot each for three hours of four.
CREATE TABLE IF NOT EXISTS /*!$database.*/observations/*!_local ON CLUSTER $cluster*/ (
  slot         DateTime('UTC')        COMMENT 'When it was seen' CODEC(DoubleDelta, ZSTD(1)),
  machine_id   UInt64                 COMMENT 'The rig' CODEC(Delta, ZSTD(1)),
  gpu_name     LowCardinality(String) COMMENT 'GPU type, as in RTX 4090' CODEC(ZSTD(1)),
  num_gpus     UInt16                 COMMENT 'GPUs of the whole rig' CODEC(ZSTD(1)),
  gpus         UInt16                 COMMENT 'Its GPUs in this state at this price: the weight of a price' CODEC(ZSTD(1)),
  machines     UInt8                  COMMENT '1 on one row of each machine and slot: machine counts are sums' CODEC(ZSTD(1)),
  rented       Bool                   COMMENT 'Rented; else available' CODEC(ZSTD(1)),
  verified     Bool                   COMMENT 'Whether the machine is verified' CODEC(ZSTD(1)),
  hosting_type Enum8('unknown' = 0, 'community' = 1, 'secure_cloud' = 2) COMMENT 'Where it stands' CODEC(ZSTD(1)),
  price        Decimal(18, 9)         COMMENT 'USD per GPU-hour' CODEC(ZSTD(1)),
  tflops       Nullable(Float64)      COMMENT 'Per GPU' CODEC(ZSTD(1)),
  dlperf       Nullable(Float64)      COMMENT 'Deep-learning score per GPU' CODEC(ZSTD(1)),
  source       LowCardinality(String) COMMENT 'market, simulated, or the format of an import' CODEC(ZSTD(1)),
  host_id      Nullable(UInt64)       COMMENT 'Account of the machine; NULL: not known' CODEC(Delta(8), ZSTD(1)),
  country      LowCardinality(String) COMMENT 'Country, as ISO 3166 alpha-2; empty: not known' CODEC(ZSTD(1)),
  gpu_ram      Nullable(UInt32)       COMMENT 'MB per GPU; NULL: not known' CODEC(ZSTD(1)),
  rental_type  Enum8('unknown' = 0, 'on_demand' = 1, 'reserved' = 2, 'interruptible' = 3)
    COMMENT 'How it is rented, or offered' CODEC(ZSTD(1)),
  min_gpus     Nullable(UInt16)       COMMENT 'Smallest part of the rig that can be rented, in GPUs; NULL: not known' CODEC(ZSTD(1)),
  terms        LowCardinality(String) COMMENT 'Terms of the listing as JSON, in the order of the table terms; empty: not known' CODEC(ZSTD(1))
) ENGINE = /*!Replicated*/MergeTree/*!('/clickhouse/tables/{shard}/$database/observations', '{replica}')*/
PARTITION BY toYYYYMM(slot)
PRIMARY KEY (gpu_name, toDate(slot), machine_id)
ORDER BY (gpu_name, toDate(slot), machine_id, slot)
SETTINGS non_replicated_deduplication_window = 1000,
  /*!replicated_deduplication_window = 1000, replicated_deduplication_window_seconds = 3153600000,*/
  index_granularity = 8192, min_parts_to_merge_at_once = 48
COMMENT 'What was seen: one row per slot, machine, state and price. The source of every number'

-- name: price_histogram
-- GPUs per price and hour: buckets of whole hours pool their percentiles from it, which reads a twelfth of the rows that observations have.
-- A pure function of `observations`: an hour is recomputed as a whole whenever a slot is loaded into it. Hour first, so that FINAL
-- merges only the hours that have more than one version.
-- `bin`: the bin in which hosts see the price of a rented GPU (views/price_bins.sql).
CREATE TABLE IF NOT EXISTS /*!$database.*/price_histogram/*!_local ON CLUSTER $cluster*/ (
  hour         DateTime('UTC')        COMMENT 'Start of the hour' CODEC(Delta, ZSTD(1)),
  gpu_name     LowCardinality(String) COMMENT 'GPU type' CODEC(ZSTD(1)),
  num_gpus     UInt16                 COMMENT 'GPUs of the whole rig' CODEC(ZSTD(1)),
  verified     Bool                   COMMENT 'Whether the machines are verified' CODEC(ZSTD(1)),
  hosting_type Enum8('unknown' = 0, 'community' = 1, 'secure_cloud' = 2) COMMENT 'Where they stand' CODEC(ZSTD(1)),
  rented       Bool                   COMMENT 'Rented; else available' CODEC(ZSTD(1)),
  price        Decimal(18, 9)         COMMENT 'USD per GPU-hour' CODEC(Delta, ZSTD(1)),
  gpus         UInt64                 COMMENT 'Summed over the slots of the hour: the weight of the price' CODEC(T64, ZSTD(1)),
  bin          UInt8                  COMMENT 'Price bin that hosts see of rented GPUs: n is 0.01 × 2^(n - 2) wide, 1 exact, 255 no price; 0: available, or not computed yet' CODEC(ZSTD(1)),
  revision     UInt64                 COMMENT 'The newest counts: select FINAL' CODEC(Delta, ZSTD(1))
) ENGINE = /*!Replicated*/ReplacingMergeTree(/*!'/clickhouse/tables/{shard}/$database/price_histogram', '{replica}', */revision)
PARTITION BY toYYYYMM(hour)
ORDER BY (hour, gpu_name, num_gpus, verified, hosting_type, rented, price)
SETTINGS index_granularity = 1024, min_age_to_force_merge_seconds = 3600, min_age_to_force_merge_on_partition_only = 1
COMMENT 'GPUs per price and hour: small, for percentiles over long ranges. Select FINAL'

-- name: cube
-- The stored answers: one row for each step, filter, GPU name and bucket. Step 1 holds each slot alone. The other steps
-- are the ladder of contract/ladder.ts. Filter values of 0 / 'all' stand for "not filtered".
-- Counts are those of the market's last slot in the bucket, percentiles pool all of it. Small granules and compress
-- blocks, because a question reads a few short ranges.
-- `pooled_*`: sums over all slots of a bucket of whole hours, from which revenue and occupancy are computed. They are 0 in rows of finer steps.
-- `*_thin`: where the last slot has enough machines and hosts, the whole bucket has, so most thin marks are read from here.
-- `last_ask_diff`: performance is divided by the median of the last slot. It is mostly the median of the bucket, so the difference takes a tenth of the disk.
-- Merges: rows of an hour are written again at each slot of it, and FINAL merges the old ones at each reading. ClickHouse leaves a month that is over in
-- several parts for ever. So an hour after its last change a partition is merged into one part, which FINAL reads as it is.
CREATE TABLE IF NOT EXISTS /*!$database.*/cube/*!_local ON CLUSTER $cluster*/ (
  step                   UInt32 COMMENT 'Seconds of a bucket; 1: single slots' CODEC(ZSTD(1)),
  verified               Enum8('all' = 0, 'yes' = 1, 'no' = 2) COMMENT 'Filter; all: not filtered' CODEC(ZSTD(1)),
  hosting_type           Enum8('all' = 0, 'community' = 1, 'secure_cloud' = 2) COMMENT 'Filter; all: not filtered' CODEC(ZSTD(1)),
  num_gpus               UInt16 COMMENT 'Filter: GPUs of the whole rig; 0: not filtered' CODEC(ZSTD(1)),
  gpu_name               LowCardinality(String) COMMENT 'GPU type' CODEC(ZSTD(1)),
  bucket                 DateTime('UTC') COMMENT 'Start of the bucket' CODEC(DoubleDelta, ZSTD(1)),
  total UInt32
    DEFAULT rented_verified + avail_verified + rented_unverified + avail_unverified
    COMMENT 'Machines' CODEC(T64, ZSTD(1)),
  available UInt32
    DEFAULT avail_verified + avail_unverified
    COMMENT 'Machines' CODEC(T64, ZSTD(1)),
  rented_verified        UInt32 COMMENT 'Machines at the last slot of the bucket, as all counts' CODEC(T64, ZSTD(1)),
  avail_verified         UInt32 COMMENT 'Machines' CODEC(T64, ZSTD(1)),
  rented_unverified      UInt32 COMMENT 'Machines' CODEC(T64, ZSTD(1)),
  avail_unverified       UInt32 COMMENT 'Machines' CODEC(T64, ZSTD(1)),
  total_gpus UInt32
    DEFAULT rented_verified_gpus + avail_verified_gpus + rented_unverified_gpus + avail_unverified_gpus
    COMMENT 'GPUs' CODEC(T64, ZSTD(1)),
  rented_verified_gpus   UInt32 COMMENT 'GPUs' CODEC(T64, ZSTD(1)),
  avail_verified_gpus    UInt32 COMMENT 'GPUs' CODEC(T64, ZSTD(1)),
  rented_unverified_gpus UInt32 COMMENT 'GPUs' CODEC(T64, ZSTD(1)),
  avail_unverified_gpus  UInt32 COMMENT 'GPUs' CODEC(T64, ZSTD(1)),
  tflops                 Nullable(Float64) COMMENT '90th percentile per GPU' CODEC(ZSTD(1)),
  dlperf                 Nullable(Float64) COMMENT '90th percentile per GPU' CODEC(ZSTD(1)),
  last_ask_diff          Nullable(Decimal(18, 9)) COMMENT 'USD per GPU-hour: the median of the GPUs available at the last slot, less avail_median; 0 without any; NULL: not computed yet' CODEC(ZSTD(1)),
  rented_thin Enum8('unknown' = 0, 'yes' = 1, 'no' = 2)
    COMMENT 'yes: fewer than 5 machines or 3 hosts had rented GPUs at the last slot; unknown: none, or not computed yet' CODEC(ZSTD(1)),
  avail_thin Enum8('unknown' = 0, 'yes' = 1, 'no' = 2)
    COMMENT 'The same of available GPUs' CODEC(ZSTD(1)),
  rented_p10             Nullable(Decimal(18, 9)) COMMENT 'USD per GPU-hour, pooled over the bucket, as all prices' CODEC(ZSTD(1)),
  rented_median          Nullable(Decimal(18, 9)) COMMENT 'USD per GPU-hour' CODEC(ZSTD(1)),
  rented_p90             Nullable(Decimal(18, 9)) COMMENT 'USD per GPU-hour' CODEC(ZSTD(1)),
  avail_p10              Nullable(Decimal(18, 9)) COMMENT 'USD per GPU-hour' CODEC(ZSTD(1)),
  avail_median           Nullable(Decimal(18, 9)) COMMENT 'USD per GPU-hour' CODEC(ZSTD(1)),
  avail_p90              Nullable(Decimal(18, 9)) COMMENT 'USD per GPU-hour' CODEC(ZSTD(1)),
  pooled_gpus            UInt64 COMMENT 'GPUs on the market, summed over the slots of a bucket of whole hours; 0: finer step' CODEC(T64, ZSTD(1)),
  pooled_rented_gpus     UInt64 COMMENT 'Rented GPUs, summed over the slots' CODEC(T64, ZSTD(1)),
  pooled_value           Decimal(38, 9) COMMENT 'Price of each rented GPU, summed over the slots' CODEC(ZSTD(1)),
  revision               UInt64 COMMENT 'The newest counts: select FINAL' CODEC(Delta, ZSTD(1))
) ENGINE = /*!Replicated*/ReplacingMergeTree(/*!'/clickhouse/tables/{shard}/$database/cube', '{replica}', */revision)
PARTITION BY (step, toYYYYMM(bucket))
ORDER BY (step, verified, hosting_type, num_gpus, gpu_name, bucket)
SETTINGS index_granularity = 1024, min_compress_block_size = 8192, max_compress_block_size = 65536, min_age_to_force_merge_seconds = 3600, min_age_to_force_merge_on_partition_only = 1
COMMENT 'The stored answers of the price history: one row per step, filter, GPU type and bucket. Select FINAL'

-- name: flows
-- Changes of machines between a slot and the market's next slot: one row for each hour, class of machines and price position.
-- A pure function of `observations` and `slots`: an hour is computed again as a whole whenever a slot is loaded into it or right behind it.
-- GPU name first, because a question asks for few names and many hours.
-- Months that are over become one part each, as in `cube`.
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
SETTINGS index_granularity = 1024, min_age_to_force_merge_seconds = 3600, min_age_to_force_merge_on_partition_only = 1
COMMENT 'Rentals, returns and exposure per hour, class of machines and price position. Select FINAL'

-- name: price_steps
-- The price histogram in buckets of 6 hours and of a day, for price distributions over long ranges: prices hardly change from hour to hour, so
-- a day has a thirteenth of the rows that its hours have. GPU name first, because a question asks for few names and many buckets.
-- Months that are over become one part each, as in `cube`. `bin` as in `price_histogram`.
CREATE TABLE IF NOT EXISTS /*!$database.*/price_steps/*!_local ON CLUSTER $cluster*/ (
  step         UInt32                 COMMENT 'Seconds of a bucket: 21600 or 86400' CODEC(ZSTD(1)),
  gpu_name     LowCardinality(String) COMMENT 'GPU type' CODEC(ZSTD(1)),
  bucket       DateTime('UTC')        COMMENT 'Start of the bucket' CODEC(Delta, ZSTD(1)),
  num_gpus     UInt16                 COMMENT 'GPUs of the whole rig' CODEC(ZSTD(1)),
  verified     Bool                   COMMENT 'Whether the machines are verified' CODEC(ZSTD(1)),
  hosting_type Enum8('unknown' = 0, 'community' = 1, 'secure_cloud' = 2) COMMENT 'Where they stand' CODEC(ZSTD(1)),
  rented       Bool                   COMMENT 'Rented; else available' CODEC(ZSTD(1)),
  price        Decimal(18, 9)         COMMENT 'USD per GPU-hour' CODEC(Delta, ZSTD(1)),
  gpus         UInt64                 COMMENT 'Summed over the slots of the bucket: the weight of the price' CODEC(T64, ZSTD(1)),
  bin          UInt8                  COMMENT 'Price bin that hosts see of rented GPUs: n is 0.01 × 2^(n - 2) wide, 1 exact, 255 no price; 0: available, or not computed yet' CODEC(ZSTD(1)),
  revision     UInt64                 COMMENT 'The newest counts: select FINAL' CODEC(Delta, ZSTD(1))
) ENGINE = /*!Replicated*/ReplacingMergeTree(/*!'/clickhouse/tables/{shard}/$database/price_steps', '{replica}', */revision)
PARTITION BY (step, toYYYYMM(bucket))
ORDER BY (step, gpu_name, bucket, num_gpus, verified, hosting_type, rented, price)
SETTINGS index_granularity = 1024, min_age_to_force_merge_seconds = 3600, min_age_to_force_merge_on_partition_only = 1
COMMENT 'GPUs per price in buckets of 6 hours and of a day. Select FINAL'

-- name: machine_days
-- Each machine on each day that is over: one row for each day, machine, GPU name and rig size. The price index and the churn are computed
-- from it. A pure function of `observations`, and kept when these are removed. A machine that changes its GPU name or its rig size
-- is another machine from then on, so both are part of the key.
-- `before_ask`: with it, the earnings of a machine since its last price are read from whole days. It is small, since most machines have one price a day.
CREATE TABLE IF NOT EXISTS /*!$database.*/machine_days/*!_local ON CLUSTER $cluster*/ (
  day         Date                   COMMENT 'Day in UTC' CODEC(Delta, ZSTD(1)),
  gpu_name    LowCardinality(String) COMMENT 'GPU type' CODEC(ZSTD(1)),
  machine_id  UInt64                 COMMENT 'The rig' CODEC(Delta, ZSTD(1)),
  num_gpus    UInt16                 COMMENT 'GPUs of the whole rig' CODEC(ZSTD(1)),
  slots       UInt32                 COMMENT 'Slots of the day in which it was on the market' CODEC(T64, ZSTD(1)),
  first_slot  DateTime('UTC')        COMMENT 'The first slot of the day in which it was on the market' CODEC(ZSTD(1)),
  last_slot   DateTime('UTC')        COMMENT 'The last one' CODEC(ZSTD(1)),
  rented_slot DateTime('UTC')        COMMENT 'The last one in which a GPU of it was rented; 0: none' CODEC(ZSTD(1)),
  avail_gpus  UInt64                 COMMENT 'Its available GPUs, summed over the slots' CODEC(T64, ZSTD(1)),
  avail_value Decimal(38, 9)         COMMENT 'Price of each available GPU, summed over the slots' CODEC(ZSTD(1)),
  asks        Array(Tuple(slot DateTime('UTC'), price Decimal(18, 9)))
    COMMENT 'The first price of the day at which it was available, and each other one, with its slot' CODEC(ZSTD(1)),
  rented_gpus UInt64                 COMMENT 'Its rented GPUs, summed over the slots' CODEC(T64, ZSTD(1)),
  rented_value Decimal(38, 9)        COMMENT 'Price of each rented GPU, summed over the slots' CODEC(ZSTD(1)),
  before_ask  Tuple(slots UInt32, gpus UInt64, rented_gpus UInt64, rented_value Decimal(38, 9))
    COMMENT 'Before the slot of the last of `asks`: its slots, GPUs, rented GPUs and the price of each; 0 without asks' CODEC(ZSTD(1)),
  ask_rented  Float64                COMMENT 'The share of its GPUs that was rented in the slot of the last of `asks`' CODEC(ZSTD(1)),
  revision    UInt64                 COMMENT 'The newest counts: select FINAL' CODEC(Delta, ZSTD(1))
) ENGINE = /*!Replicated*/ReplacingMergeTree(/*!'/clickhouse/tables/{shard}/$database/machine_days', '{replica}', */revision)
PARTITION BY toYYYYMM(day)
ORDER BY (gpu_name, day, machine_id, num_gpus)
COMMENT 'Every machine by day: for the price index and the churn. Select FINAL'

-- name: price_index
-- The published days of the price index: one row per day, GPU name and edition. A row is never changed: when what it was computed from
-- changes and its content with it, the next edition is added. No partitions: the rows of a day are one block, there or not.
-- `seal`: a hash over all columns. No INSERT names it, so ClickHouse computes it when the row is written. A row that is changed later does not fit it.
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
  revision         UInt64                 COMMENT 'The newest counts: select FINAL' CODEC(ZSTD(1)),
  seal UInt64
    DEFAULT cityHash64(toString(tuple(day, gpu_name, edition, reason, machines, matched_share, ln_link, machines_28, matched_share_28, ln_link_28, hash, published_at, revision)))
    COMMENT 'Hash of all other columns, made with the row' CODEC(ZSTD(1)),
  is_sealed Bool
    ALIAS seal = cityHash64(toString(tuple(day, gpu_name, edition, reason, machines, matched_share, ln_link, machines_28, matched_share_28, ln_link_28, hash, published_at, revision)))
    COMMENT 'Whether the row is as it was published'
) ENGINE = /*!Replicated*/ReplacingMergeTree(/*!'/clickhouse/tables/{shard}/$database/price_index', '{replica}', */revision)
ORDER BY (gpu_name, day, edition)
COMMENT 'The price index: links of consecutive days, published once. The highest edition counts. Select FINAL'

-- name: published_days
-- The days that are published, and the fingerprint of the ledger of slots at that time. A day whose slots have changed since is computed again.
-- `seal` as in `price_index`.
CREATE TABLE IF NOT EXISTS /*!$database.*/published_days/*!_local ON CLUSTER $cluster*/ (
  day       Date   COMMENT 'Day in UTC' CODEC(Delta, ZSTD(1)),
  print     UInt64 COMMENT 'Fingerprint of the slots of the day' CODEC(ZSTD(1)),
  print_1   UInt64 COMMENT 'The same of the day before' CODEC(ZSTD(1)),
  print_28  UInt64 COMMENT 'The same of the day 28 days before' CODEC(ZSTD(1)),
  revision  UInt64 COMMENT 'The newest counts: select FINAL' CODEC(ZSTD(1)),
  seal UInt64
    DEFAULT cityHash64(toString(tuple(day, print, print_1, print_28, revision)))
    COMMENT 'Hash of all other columns, made with the row' CODEC(ZSTD(1)),
  is_sealed Bool
    ALIAS seal = cityHash64(toString(tuple(day, print, print_1, print_28, revision)))
    COMMENT 'Whether the row is as it was entered'
) ENGINE = /*!Replicated*/ReplacingMergeTree(/*!'/clickhouse/tables/{shard}/$database/published_days', '{replica}', */revision)
ORDER BY day
COMMENT 'Which days of the price index and of the machines are published. Select FINAL'

-- name: terms
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

-- name: list_prices
-- List prices of clouds from catalogs: one row where a price changed, and one where an offer ended. They have no quantities, so they
-- are no observations. No partitions: the changes of a reading are one block, there or not.
CREATE TABLE IF NOT EXISTS /*!$database.*/list_prices/*!_local ON CLUSTER $cluster*/ (
  time          DateTime('UTC')        COMMENT 'From when on the catalog had this price' CODEC(Delta, ZSTD(1)),
  catalog       LowCardinality(String) COMMENT 'Who tells it: gpuhunt or skypilot' CODEC(ZSTD(1)),
  provider      LowCardinality(String) COMMENT 'Who asks the price, as in aws' CODEC(ZSTD(1)),
  region        LowCardinality(String) COMMENT 'As the provider names it' CODEC(ZSTD(1)),
  instance_name LowCardinality(String) COMMENT 'As the provider names it' CODEC(ZSTD(1)),
  listed_name   LowCardinality(String) COMMENT 'The GPU as the catalog names it' CODEC(ZSTD(1)),
  gpu_name      LowCardinality(String) COMMENT 'The GPU as markets name it; empty: not known, and never guessed' CODEC(ZSTD(1)),
  gpu_memory    UInt16                 COMMENT 'GB per GPU; 0: not told' CODEC(ZSTD(1)),
  gpus          UInt16                 COMMENT 'GPUs of the instance' CODEC(ZSTD(1)),
  spot          Bool                   COMMENT 'Spot or interruptible; else on demand' CODEC(ZSTD(1)),
  price         Nullable(Decimal(18, 6)) COMMENT 'USD per GPU-hour; NULL: not offered any more' CODEC(ZSTD(1))
) ENGINE = /*!Replicated*/ReplacingMergeTree/*!('/clickhouse/tables/{shard}/$database/list_prices', '{replica}')*/
ORDER BY (gpu_name, catalog, provider, spot, region, instance_name, gpus, gpu_memory, listed_name, time)
COMMENT 'What GPUs cost in clouds: a row where a price changed. It counts until the next row of the same offer'
