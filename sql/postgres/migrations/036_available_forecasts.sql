-- Forecasts of how many GPUs will be available at a price (measure `available`) also have that price, the number of GPUs that the probability is about,
-- and the probability.
ALTER TABLE forecasts
  ADD COLUMN price double precision,
  ADD COLUMN gpus integer,
  ADD COLUMN probability double precision;
