-- Creates the rental of the demo machine. $1 machine, $2 renter
INSERT INTO contracts (machine_id, account_id, price, disk_space, rental_type) VALUES ($1, $2, 0.35, 40, 'on_demand') RETURNING id
