-- Moves the new rows of an import into the series. Safe to run again after any part of it. Parameters: those of new_rows.sql.
INSERT INTO observations (
  slot, machine_id, gpu_name, num_gpus, gpus, machines, rented, verified, hosting_type, price, tflops, dlperf, source,
  host_id, country, gpu_ram, rental_type, min_gpus, terms
)
$new_rows
