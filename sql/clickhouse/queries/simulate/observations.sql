-- Enters simulated observations that stay the same for a while: a line holds for each slot of [since, until). As one line a slot they
-- would be thirty times the text, and ten times the work. Parameters: interval UInt32 (seconds). Data follows as JSONCompactEachRow.
INSERT INTO observations (
  slot, machine_id, gpu_name, num_gpus, gpus, machines, rented, verified, hosting_type, price, tflops, dlperf, source,
  host_id, country, gpu_ram, rental_type, min_gpus, terms
)
SELECT
  toDateTime(arrayJoin(range(since, until, {interval:UInt32})), 'UTC'),
  machine_id, gpu_name, num_gpus, gpus, machines, rented, verified, hosting_type, price, tflops, dlperf, 'simulated',
  host_id, country, gpu_ram, rental_type, min_gpus, terms
FROM input('
  since UInt32, until UInt32, machine_id UInt64, gpu_name String, num_gpus UInt16, gpus UInt16, machines UInt8, rented Bool,
  verified Bool, hosting_type String, price Decimal(18, 9), tflops Nullable(Float64), dlperf Nullable(Float64),
  host_id UInt64, country String, gpu_ram UInt32, rental_type String, min_gpus Nullable(UInt16), terms String
')
FORMAT JSONCompactEachRow
