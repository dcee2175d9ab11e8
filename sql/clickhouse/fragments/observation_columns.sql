-- The columns of an observation, in the order of the spool's lines; `{{observation_columns}}` in other files. A new one goes to the end here, in
-- observation_types.sql and in ingest/observation-columns.ts, since lines of the last release may wait in the spool.
slot, machine_id, gpu_name, num_gpus, gpus, machines, rented, verified, hosting_type, price, tflops, dlperf, source,
  host_id, country, gpu_ram, rental_type, min_gpus, terms
