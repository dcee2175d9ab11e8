-- Adds observations of a snapshot, unless its slot was entered with a newer revision: then the writer has lost the series to another one.
-- The column order is that of the spool's lines (sql/postgres/queries/market/capture.sql). Lines of earlier releases end with `source`;
-- what they lack is not known. Columns are therefore only added at the end.
-- Parameters: slot, source, revision. Data follows as JSONCompactEachRow.
INSERT INTO observations (
  slot, machine_id, gpu_name, num_gpus, gpus, machines, rented, verified, hosting_type, price, tflops, dlperf, source,
  host_id, country, gpu_ram, rental_type, min_gpus, terms
)
SELECT
  slot, machine_id, gpu_name, num_gpus, gpus, machines, rented, verified, hosting_type, price, tflops, dlperf, source,
  host_id, country, gpu_ram, rental_type, min_gpus, terms
FROM input('
  slot DateTime(\'UTC\'), machine_id UInt64, gpu_name String, num_gpus UInt16, gpus UInt16, machines UInt8, rented Bool,
  verified Bool, hosting_type String, price Decimal(18, 9), tflops Nullable(Float64), dlperf Nullable(Float64), source String,
  host_id Nullable(UInt64), country String, gpu_ram Nullable(UInt32),
  rental_type Enum8(\'unknown\' = 0, \'on_demand\' = 1, \'reserved\' = 2, \'interruptible\' = 3), min_gpus Nullable(UInt16), terms String
')
WHERE {revision:UInt64} > (
  SELECT max(revision) FROM slots
  WHERE slot = toDateTime({slot:UInt32}, 'UTC') AND source = {source:String}
)
FORMAT JSONCompactEachRow
