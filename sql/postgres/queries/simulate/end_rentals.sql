-- Ends rentals and frees their GPUs. $1 contracts
WITH freed AS (
  DELETE FROM gpu_holds WHERE contract_id = ANY ($1::int[])
)
UPDATE contracts SET ended_at = now(), actual_status = 'exited' WHERE id = ANY ($1::int[])
