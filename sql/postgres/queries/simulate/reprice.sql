-- Sets prices of listings. $1 machines, $2 their prices
UPDATE gpu_listings SET price = new.price
FROM unnest($1::int[], $2::numeric[]) AS new(machine_id, price)
WHERE gpu_listings.machine_id = new.machine_id AND ended_at IS NULL
