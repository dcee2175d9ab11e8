-- Forecasts as they were made: what was said of an hour to come, before it was there. A row is never changed, so how forecasts fared can be told from
-- what was really said. Nothing of it can be computed again once data of the past are imported.
CREATE TABLE forecasts (
  gpu_name    text NOT NULL,
  verified    text NOT NULL CHECK (verified IN ('yes', 'all')),  -- of which machines
  measure     text NOT NULL,                                     -- rented_median, avail_median or occupancy
  horizon     integer NOT NULL,                                  -- hours ahead
  known_until timestamptz NOT NULL,                              -- end of the last hour that was known
  now         double precision NOT NULL,                         -- the figure in that hour
  value       double precision NOT NULL,
  low         double precision NOT NULL,                         -- ends of the 80 % band
  high        double precision NOT NULL,
  made_at     timestamptz NOT NULL DEFAULT rackrate_now(),
  PRIMARY KEY (gpu_name, verified, known_until, measure, horizon)
);
CREATE INDEX forecasts_known_until ON forecasts (known_until);
