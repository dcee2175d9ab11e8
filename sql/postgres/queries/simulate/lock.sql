-- The simulation, locked, and the present (unix seconds); no row in a real market.
SELECT seed, size, interval, moods, advanced_to, extract(epoch FROM rackrate_now())::float8 AS now
FROM simulation
FOR UPDATE
