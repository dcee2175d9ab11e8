-- Notes the machines that a key shows, and that no others are shown. $1 the key's id, $2 the machines, JSON
WITH given AS (
  SELECT * FROM json_to_recordset($2::json) AS m (
    id bigint, host_id bigint, listed boolean, listed_gpu_cost numeric, min_bid_price numeric, gpu_occupancy text
  )
),
gone AS (
  UPDATE claim_machines SET is_shown = false
  WHERE key_id = $1 AND is_shown AND machine_id NOT IN (SELECT id FROM given)
)
INSERT INTO claim_machines (key_id, machine_id, is_shown, read_at, host_id, listed, price, min_bid, occupancy)
SELECT DISTINCT ON (id) $1, id, true, rackrate_now(), host_id, listed, listed_gpu_cost, min_bid_price, gpu_occupancy FROM given
ON CONFLICT (key_id, machine_id) DO UPDATE
SET
  is_shown = true, read_at = excluded.read_at, host_id = excluded.host_id, listed = excluded.listed, price = excluded.price,
  min_bid = excluded.min_bid, occupancy = excluded.occupancy
