-- The column order of the spool's lines (sql/postgres/queries/market/capture.sql) and of every importer. Data follows as JSONCompactEachRow.
INSERT INTO observations (
  slot, machine_id, gpu_name, num_gpus, gpus, machines, rented, verified, hosting_type, price, tflops, dlperf, source
) FORMAT JSONCompactEachRow
