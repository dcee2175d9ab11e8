-- Where a machine stands, in degrees, as coarse as its place is known. NULL: not known.
ALTER TABLE machines
  ADD COLUMN latitude  double precision CHECK (latitude BETWEEN -90 AND 90),
  ADD COLUMN longitude double precision CHECK (longitude BETWEEN -180 AND 180),
  ADD CHECK ((latitude IS NULL) = (longitude IS NULL));
