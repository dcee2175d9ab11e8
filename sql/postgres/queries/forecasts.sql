-- name: keep
-- Stores forecasts. Existing ones stay unchanged. $1 gpu_name, $2 verified, $3 newest known time (unix seconds), $4 forecasts as
-- JSON
INSERT INTO forecasts (gpu_name, verified, known_until, measure, horizon, now, value, low, high, price, gpus, probability)
SELECT
  $1, $2, to_timestamp($3::float8), made.measure, made.horizon, made.now, made.value, made.low, made.high, made.price, made.gpus,
  made.probability
FROM jsonb_to_recordset($4::jsonb) AS made (
  measure text, horizon integer, now double precision, value double precision, low double precision, high double precision,
  price double precision, gpus integer, probability double precision
)
ON CONFLICT DO NOTHING

-- name: made
-- The forecasts of some GPU names that were made since a time, oldest first. $1 gpu_names, $2 verified, $3 since (unix seconds)
SELECT
  gpu_name, measure, horizon, extract(epoch FROM known_until)::float8 AS known_until, now, value, low, high, price, gpus, probability
FROM forecasts
WHERE gpu_name = ANY ($1::text[]) AND verified = $2 AND known_until >= to_timestamp($3::float8)
ORDER BY known_until
