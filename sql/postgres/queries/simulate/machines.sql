-- Enters machines of a simulated market with their listings. Times are unix seconds; removed_at null: it is on the market.
-- $1 JSON array of machines, each with the account of its host
WITH given AS (
  SELECT *, to_timestamp(created_at) AS created, to_timestamp(removed_at) AS removed
  FROM jsonb_to_recordset($1::jsonb) AS m(
    id integer, gpu_name text, num_gpus smallint, gpu_ram integer, tflops float8, dlperf float8, disk_space integer,
    verification text, hosting_type text, geolocation text, latitude float8, longitude float8, min_gpus smallint, online boolean, price numeric, host integer,
    created_at float8, removed_at float8, min_bid numeric, end_date float8, credit_discount_max numeric, reliability numeric, storage_cost numeric,
    inet_up_cost numeric, inet_down_cost numeric
  )
),
machines AS (
  INSERT INTO machines (
    id, account_id, gpu_name, num_gpus, gpu_ram, tflops, dlperf, disk_space, verification, hosting_type, geolocation, latitude, longitude, min_gpus, online,
    reliability, created_at, removed_at
  )
  SELECT
    id, host, gpu_name, num_gpus, gpu_ram, tflops, dlperf, disk_space, verification, hosting_type, geolocation, latitude, longitude, min_gpus, online,
    reliability, created, removed
  FROM given
)
INSERT INTO gpu_listings (
  machine_id, price, created_at, ended_at, expires_at, min_bid, credit_discount_max, storage_cost, inet_up_cost, inet_down_cost
)
SELECT
  id, price, created, removed, to_timestamp(end_date), min_bid, credit_discount_max, storage_cost, inet_up_cost, inet_down_cost
FROM given
