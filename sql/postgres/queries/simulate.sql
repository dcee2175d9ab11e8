-- name: accounts_like
-- Simulated accounts, oldest first. $1 pattern of their addresses
SELECT id FROM accounts WHERE email LIKE $1 ORDER BY id

-- name: begin
-- Marks the market as simulated. $1 seed, $2 size, $3 seconds between slots, $4 moods, $5 slot of the seeded state, $6 first slot
-- of the history to generate
INSERT INTO simulation (seed, size, interval, moods, anchor_slot, filled_from, fill_until, advanced_to)
VALUES ($1, $2, $3, $4, $5, $5, $6, $5)

-- name: create_accounts
-- Creates further simulated accounts. $1 their kind (host, renter), $2 true for hosts, $3 their number
INSERT INTO accounts (name, email, email_verified, is_host, is_admin)
SELECT 'Simulated ' || $1::text || ' ' || n, $1 || '-' || n || '@demo.invalid', false, $2, false
FROM generate_series(1, $3::int) AS n
RETURNING id

-- name: create_demo_accounts
-- Creates the demo host and the demo admin, in this order. $1 address of the host, $2 of the admin
INSERT INTO accounts (name, email, email_verified, is_host, is_admin)
VALUES ('Demo host (simulated)', $1::text, true, true, false), ('Demo admin (simulated)', $2, true, false, true)
RETURNING id

-- name: demo_accounts
-- The accounts that demo keys belong to; no row unless the market is simulated. $1 address of the host, $2 of the admin
SELECT host.id AS "hostId", admin.id AS "adminId"
FROM accounts AS host, accounts AS admin
WHERE host.email = $1 AND admin.email = $2 AND EXISTS (SELECT FROM simulation)

-- name: end_rentals
-- Ends rentals and frees their GPUs. $1 contracts, $2 who ends each: host, renter or system
WITH freed AS (
  DELETE FROM gpu_holds WHERE contract_id = ANY ($1::int[])
)
UPDATE contracts SET ended_at = rackrate_now(), actual_status = 'exited', ended_by = ending.ended_by
FROM unnest($1::int[], $2::text[]) AS ending(id, ended_by)
WHERE contracts.id = ending.id

-- name: facts
-- Properties of each simulated machine that snapshots record and the simulation itself does not track. Machines that have left
-- are included.
SELECT id, account_id AS "hostId", coalesce(country, '') AS country, min_gpus AS "minGpus" FROM machines

-- name: last_machine
-- Sets the sequence of machine numbers after the numbers that were inserted explicitly.
SELECT setval(pg_get_serial_sequence('machines', 'id'), (SELECT max(id) FROM machines))

-- name: lock
-- The simulation, locked, and the current time (unix seconds); no row in a real market.
SELECT seed, size, interval, moods, advanced_to, extract(epoch FROM rackrate_now())::float8 AS now
FROM simulation
FOR UPDATE

-- name: machines
-- Inserts machines of a simulated market with their listings. Times are unix seconds; removed_at null: it is on the market. $1
-- JSON array of machines, each with the account of its host
WITH given AS (
  SELECT *, to_timestamp(created_at) AS created, to_timestamp(removed_at) AS removed
  FROM jsonb_to_recordset($1::jsonb) AS m(
    id integer, gpu_name text, num_gpus smallint, gpu_ram integer, tflops float8, dlperf float8, disk_space integer,
    verification text, hosting_type text, geolocation text, latitude float8, longitude float8, min_gpus smallint, online boolean, price numeric, host integer,
    created_at float8, removed_at float8, min_bid numeric, end_date float8, credit_discount_max numeric, reliability numeric, storage_cost numeric,
    inet_up_cost numeric, inet_down_cost numeric, inet_up numeric, inet_down numeric, disk_bw numeric, cpu_name text, cpu_cores_effective numeric,
    cpu_ram numeric, pcie_bw numeric, gpu_mem_bw numeric, driver_version text, cuda_max_good numeric, direct_port_count integer, static_ip boolean,
    score numeric
  )
),
machines AS (
  INSERT INTO machines (
    id, account_id, gpu_name, num_gpus, gpu_ram, tflops, dlperf, disk_space, verification, hosting_type, geolocation, latitude, longitude, min_gpus, online,
    reliability, created_at, removed_at, inet_up, inet_down, disk_bw, cpu_name, cpu_cores_effective, cpu_ram, pcie_bw, gpu_mem_bw, driver_version,
    cuda_max_good, direct_port_count, static_ip, score
  )
  SELECT
    id, host, gpu_name, num_gpus, gpu_ram, tflops, dlperf, disk_space, verification, hosting_type, geolocation, latitude, longitude, min_gpus, online,
    reliability, created, removed, inet_up, inet_down, disk_bw, cpu_name, cpu_cores_effective, cpu_ram, pcie_bw, gpu_mem_bw, driver_version,
    cuda_max_good, direct_port_count, static_ip, score
  FROM given
)
INSERT INTO gpu_listings (
  machine_id, price, created_at, ended_at, expires_at, min_bid, credit_discount_max, storage_cost, inet_up_cost, inet_down_cost
)
SELECT
  id, price, created, removed, to_timestamp(end_date), min_bid, credit_discount_max, storage_cost, inet_up_cost, inet_down_cost
FROM given

-- name: may_seed
-- The current time (unix seconds), and true if a market can be created here: there are no accounts and no simulation.
SELECT
  extract(epoch FROM rackrate_now())::float8 AS now,
  NOT EXISTS (SELECT FROM accounts) AND NOT EXISTS (SELECT FROM simulation) AS empty

-- name: new_machine_ids
-- Numbers for new machines. $1 how many numbers
SELECT nextval(pg_get_serial_sequence('machines', 'id'))::int AS id FROM generate_series(1, $1::int)

-- name: remove_machines
-- Removes machines with their listings. $1 machines
WITH ended AS (
  UPDATE gpu_listings SET ended_at = rackrate_now() WHERE machine_id = ANY ($1::int[]) AND ended_at IS NULL
)
UPDATE machines SET removed_at = rackrate_now(), online = false WHERE id = ANY ($1::int[])

-- name: rentals
-- Begins rentals: a contract with the GPUs it holds. If one of the GPUs is held already, the whole statement fails. $1 JSON array
-- of {machine, renter, price, rental_type, gpus, at (unix seconds)}
WITH given AS MATERIALIZED (
  SELECT nextval(pg_get_serial_sequence('contracts', 'id'))::int AS id, r.*
  FROM jsonb_to_recordset($1::jsonb) AS r(machine integer, renter integer, price numeric, rental_type text, gpus jsonb, at float8)
),
begun AS (
  INSERT INTO contracts (id, machine_id, account_id, price, rental_type, starts_at)
  SELECT id, machine, renter, price, rental_type, to_timestamp(at) FROM given
)
INSERT INTO gpu_holds (machine_id, gpu_index, contract_id)
SELECT machine, gpu::smallint, id FROM given, jsonb_array_elements_text(gpus) AS gpu

-- name: reprice
-- Sets prices of listings. $1 machines, $2 their prices
UPDATE gpu_listings SET price = new.price
FROM unnest($1::int[], $2::numeric[]) AS new(machine_id, price)
WHERE gpu_listings.machine_id = new.machine_id AND ended_at IS NULL

-- name: set_online
-- Takes machines online or offline. $1 machines, $2 true for online
UPDATE machines SET online = new.online
FROM unnest($1::int[], $2::boolean[]) AS new(machine_id, online)
WHERE machines.id = new.machine_id

-- name: set_terms
-- Sets the terms of listings and the specs of machines. $1 JSON array of machines with both
WITH given AS (
  SELECT *
  FROM jsonb_to_recordset($1::jsonb) AS m(
    id integer, min_bid numeric, end_date float8, credit_discount_max numeric, reliability numeric, storage_cost numeric, inet_up_cost numeric,
    inet_down_cost numeric, inet_up numeric, inet_down numeric, disk_bw numeric, disk_space integer, cpu_name text, cpu_cores_effective numeric,
    cpu_ram numeric, pcie_bw numeric, gpu_mem_bw numeric, driver_version text, cuda_max_good numeric, direct_port_count integer, static_ip boolean,
    score numeric
  )
),
machines AS (
  UPDATE machines
  SET
    reliability = given.reliability, inet_up = given.inet_up, inet_down = given.inet_down, disk_bw = given.disk_bw, disk_space = given.disk_space,
    cpu_name = given.cpu_name, cpu_cores_effective = given.cpu_cores_effective, cpu_ram = given.cpu_ram, pcie_bw = given.pcie_bw,
    gpu_mem_bw = given.gpu_mem_bw, driver_version = given.driver_version, cuda_max_good = given.cuda_max_good,
    direct_port_count = given.direct_port_count, static_ip = given.static_ip, score = given.score
  FROM given
  WHERE machines.id = given.id
)
UPDATE gpu_listings
SET
  min_bid = given.min_bid, expires_at = to_timestamp(given.end_date), credit_discount_max = given.credit_discount_max,
  storage_cost = given.storage_cost, inet_up_cost = given.inet_up_cost, inet_down_cost = given.inet_down_cost
FROM given
WHERE gpu_listings.machine_id = given.id AND ended_at IS NULL

-- name: state
-- The active machines of a simulated market: one row per machine, with its rentals as JSON [{contract, price, type, gpus}].
-- Machines of other accounts are left out.
WITH held AS (
  SELECT contract_id, jsonb_agg(gpu_index ORDER BY gpu_index) AS gpus FROM gpu_holds GROUP BY contract_id
),
rentals AS (
  SELECT
    c.machine_id,
    jsonb_agg(
      jsonb_build_object('contract', c.id, 'price', c.price, 'type', coalesce(c.rental_type, 'unknown'), 'gpus', held.gpus)
      ORDER BY c.id
    ) AS rentals
  FROM contracts c JOIN held ON held.contract_id = c.id
  WHERE c.ended_at IS NULL
  GROUP BY c.machine_id
)
SELECT
  m.id, m.gpu_name, m.num_gpus, m.verification, m.hosting_type = 'secure_cloud' AS secure, m.online,
  a.email LIKE 'host-%' AS may_leave, l.storage_cost IS NOT NULL AND m.inet_up IS NOT NULL AS has_terms, l.price::float8 AS price, coalesce(r.rentals, '[]') AS rentals
FROM machines m
JOIN accounts a ON a.id = m.account_id AND a.email LIKE '%@demo.invalid'
JOIN gpu_listings l ON l.machine_id = m.id AND l.ended_at IS NULL
LEFT JOIN rentals r ON r.machine_id = m.id
WHERE m.removed_at IS NULL
ORDER BY m.id
