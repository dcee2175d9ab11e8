-- A table of its own for the rows of one import, until it is known which of them are new. Parameters: table.
CREATE TABLE {table:Identifier} (
  place        UInt64,                 -- of the row in the import
  slot         DateTime('UTC'),
  machine_id   UInt64,
  gpu_name     LowCardinality(String),
  num_gpus     UInt16,
  gpus         UInt16,
  rented       Bool,
  verified     Bool,
  hosting_type Enum8('unknown' = 0, 'community' = 1, 'secure_cloud' = 2),
  price        Decimal(18, 9),
  tflops       Nullable(Float64),
  dlperf       Nullable(Float64),
  host_id      Nullable(UInt64),
  country      LowCardinality(String),
  gpu_ram      Nullable(UInt32),
  rental_type  Enum8('unknown' = 0, 'on_demand' = 1, 'reserved' = 2, 'interruptible' = 3),
  min_gpus     Nullable(UInt16),
  terms        String
) ENGINE = MergeTree
ORDER BY (slot, machine_id)
