-- Sets the terms of listings. $1 JSON array of machines with their terms
WITH given AS (
  SELECT *
  FROM jsonb_to_recordset($1::jsonb) AS m(
    id integer, min_bid numeric, end_date float8, credit_discount_max numeric, reliability numeric, storage_cost numeric, inet_up_cost numeric,
    inet_down_cost numeric
  )
),
machines AS (
  UPDATE machines SET reliability = given.reliability FROM given WHERE machines.id = given.id
)
UPDATE gpu_listings
SET
  min_bid = given.min_bid, expires_at = to_timestamp(given.end_date), credit_discount_max = given.credit_discount_max,
  storage_cost = given.storage_cost, inet_up_cost = given.inet_up_cost, inet_down_cost = given.inet_down_cost
FROM given
WHERE gpu_listings.machine_id = given.id AND ended_at IS NULL
