-- {{observation_columns}}: the columns of an observation, in the order of the spool's lines. A new one goes to the end here, in
-- observation_types and in ingest/observation-columns.ts, since lines of the last release may wait in the spool.
slot, machine_id, gpu_name, num_gpus, gpus, machines, rented, verified, hosting_type, price, tflops, dlperf, source,
  host_id, country, gpu_ram, rental_type, min_gpus, terms, specs, tier, carried

-- {{observation_types}}: the columns of observation_columns after `slot` with their types, for `input('…')`.
machine_id UInt64, gpu_name String, num_gpus UInt16, gpus UInt16, machines UInt8, rented Bool,
  verified Bool, hosting_type String, price Decimal(18, 9), tflops Nullable(Float64), dlperf Nullable(Float64), source String,
  host_id Nullable(UInt64), country String, gpu_ram Nullable(UInt32),
  rental_type Enum8(\'unknown\' = 0, \'on_demand\' = 1, \'reserved\' = 2, \'interruptible\' = 3), min_gpus Nullable(UInt16), terms String, specs String,
  tier Enum8(\'unknown\' = 0, \'verified\' = 1, \'unverified\' = 2, \'deverified\' = 3), carried UInt32

-- {{slot_print}}: a slot's part of the fingerprint of its day. Increase the last number when the rows stored by day change their
-- content, so that every day is published again.
cityHash64(slot, source, observations, revision, 5)
