-- The columns of observation_columns.sql behind `slot` with their types, for `input('…')`; `{{observation_types}}` in other files.
machine_id UInt64, gpu_name String, num_gpus UInt16, gpus UInt16, machines UInt8, rented Bool,
  verified Bool, hosting_type String, price Decimal(18, 9), tflops Nullable(Float64), dlperf Nullable(Float64), source String,
  host_id Nullable(UInt64), country String, gpu_ram Nullable(UInt32),
  rental_type Enum8(\'unknown\' = 0, \'on_demand\' = 1, \'reserved\' = 2, \'interruptible\' = 3), min_gpus Nullable(UInt16), terms String
