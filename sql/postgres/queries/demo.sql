-- name: cloud_connection
-- Creates the demo cloud connection. $1 account, $2 sealed credentials
INSERT INTO cloud_connections (account_id, name, provider, credentials_sealed)
VALUES ($1, 'Demo bucket', 's3', $2)
RETURNING id

-- name: find
-- The ids of the demo accounts and their resources; no row before they are created. $1 e-mail address of the renter, $2 the host's id
SELECT $2::int AS host_id, a.id AS renter_id, t.account_id AS team_id, c.machine_id, c.id AS instance_id, k.id AS cloud_connection_id
FROM accounts a
JOIN teams t ON t.owner_id = a.id
JOIN contracts c ON c.account_id = a.id
JOIN cloud_connections k ON k.account_id = a.id
WHERE a.email = $1
ORDER BY t.account_id, c.id, k.id
LIMIT 1

-- name: instance
-- Creates the rental of the demo machine. $1 machine, $2 renter
INSERT INTO contracts (machine_id, account_id, price, disk_space, rental_type) VALUES ($1, $2, 0.35, 40, 'on_demand') RETURNING id

-- name: machine
-- Creates the demo machine. It is not listed, so the simulated market neither rents nor changes it. $1 host
INSERT INTO machines (account_id, gpu_name, num_gpus, gpu_ram, tflops, dlperf, disk_space, min_gpus)
VALUES ($1, 'RTX 4090', 1, 24576, 82, 98, 500, 1)
RETURNING id

-- name: person
-- The account with this e-mail address, created if there is none. $1 name, $2 e-mail address, $3 is a host
INSERT INTO accounts (name, email, email_verified, is_host) VALUES ($1, $2, true, $3)
ON CONFLICT (lower(email)) WHERE email IS NOT NULL DO UPDATE SET email = EXCLUDED.email
RETURNING id

-- name: role
-- Creates a role of the demo team. $1 team
INSERT INTO roles (team_id, name, permissions)
VALUES ($1, 'operator', '{"api": {"instance_read": {}, "instance_write": {}, "team_read": {}}}')
