-- Enters the machines of a simulated market with their listings. $1 JSON array of machines, each with the account of its host.
WITH given AS (
  SELECT * FROM jsonb_to_recordset($1::jsonb) AS m(
    id integer, gpu_name text, num_gpus smallint, gpu_ram integer, tflops float8, dlperf float8, disk_space integer,
    verification text, hosting_type text, online boolean, price numeric, host integer
  )
),
machines AS (
  INSERT INTO machines (id, account_id, gpu_name, num_gpus, gpu_ram, tflops, dlperf, disk_space, verification, hosting_type, online)
  SELECT id, host, gpu_name, num_gpus, gpu_ram, tflops, dlperf, disk_space, verification, hosting_type, online FROM given
)
INSERT INTO gpu_listings (machine_id, price) SELECT id, price FROM given
