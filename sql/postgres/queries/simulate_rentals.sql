-- Begins rentals: a contract with the GPUs it holds. A GPU that is held already makes the whole statement fail.
-- $1 JSON array of {machine, renter, price, gpus}; answers one row a rental, in order: id
WITH given AS (
  SELECT nextval(pg_get_serial_sequence('contracts', 'id'))::int AS id, ordinality, (rental->>'machine')::int AS machine_id,
    (rental->>'renter')::int AS account_id, (rental->>'price')::numeric AS price, rental->'gpus' AS gpus
  FROM jsonb_array_elements($1::jsonb) WITH ORDINALITY AS g(rental, ordinality)
),
begun AS (
  INSERT INTO contracts (id, machine_id, account_id, price) SELECT id, machine_id, account_id, price FROM given
),
held AS (
  INSERT INTO gpu_holds (machine_id, gpu_index, contract_id)
  SELECT machine_id, gpu::smallint, id FROM given, jsonb_array_elements_text(gpus) AS gpu
)
SELECT id FROM given ORDER BY ordinality
