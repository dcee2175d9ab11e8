-- The forecasts of some GPU names that were made since a time, oldest first. $1 gpu_names, $2 verified, $3 since (unix seconds)
SELECT
  gpu_name, measure, horizon, extract(epoch FROM known_until)::float8 AS known_until, now, value, low, high, price, gpus, probability
FROM forecasts
WHERE gpu_name = ANY ($1::text[]) AND verified = $2 AND known_until >= to_timestamp($3::float8)
ORDER BY known_until
