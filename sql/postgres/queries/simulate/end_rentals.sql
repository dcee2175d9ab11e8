-- Ends rentals and frees their GPUs. $1 contracts, $2 who ends each: host, renter or system
WITH freed AS (
  DELETE FROM gpu_holds WHERE contract_id = ANY ($1::int[])
)
UPDATE contracts SET ended_at = rackrate_now(), actual_status = 'exited', ended_by = ending.ended_by
FROM unnest($1::int[], $2::text[]) AS ending(id, ended_by)
WHERE contracts.id = ending.id
