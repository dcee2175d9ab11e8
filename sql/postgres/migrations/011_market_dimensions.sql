-- What snapshots record of each machine and rental, since it cannot be found out later. NULL: not known.
ALTER TABLE machines
  ADD COLUMN min_gpus smallint CHECK (min_gpus BETWEEN 1 AND num_gpus),   -- smallest part of the rig that can be rented
  -- ISO 3166 alpha-2, the last element of a place: 'California, US'
  ADD COLUMN country text GENERATED ALWAYS AS (substring(geolocation FROM '(?:^|,\s*)([A-Z]{2})\s*$')) STORED;
ALTER TABLE contracts
  ADD COLUMN rental_type text CHECK (rental_type IN ('on_demand', 'reserved', 'interruptible')),
  ADD COLUMN ended_by text CHECK (ended_by IN ('host', 'renter', 'system')),
  ADD CHECK (ended_by IS NULL OR ended_at IS NOT NULL);
