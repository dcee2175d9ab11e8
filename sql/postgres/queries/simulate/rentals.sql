-- Begins rentals: a contract with the GPUs it holds. A GPU that is held already makes the whole statement fail.
-- $1 JSON array of {machine, renter, price, rental_type, gpus, at (unix seconds)}
WITH given AS MATERIALIZED (
  SELECT nextval(pg_get_serial_sequence('contracts', 'id'))::int AS id, r.*
  FROM jsonb_to_recordset($1::jsonb) AS r(machine integer, renter integer, price numeric, rental_type text, gpus jsonb, at float8)
),
begun AS (
  INSERT INTO contracts (id, machine_id, account_id, price, rental_type, starts_at)
  SELECT id, machine, renter, price, rental_type, to_timestamp(at) FROM given
)
INSERT INTO gpu_holds (machine_id, gpu_index, contract_id)
SELECT machine, gpu::smallint, id FROM given, jsonb_array_elements_text(gpus) AS gpu
