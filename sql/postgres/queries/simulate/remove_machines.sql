-- Removes machines with their listings. $1 machines
WITH ended AS (
  UPDATE gpu_listings SET ended_at = rackrate_now() WHERE machine_id = ANY ($1::int[]) AND ended_at IS NULL
)
UPDATE machines SET removed_at = rackrate_now(), online = false WHERE id = ANY ($1::int[])
