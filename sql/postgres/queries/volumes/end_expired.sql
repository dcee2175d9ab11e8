-- Marks volume listings as ended whose end has come, so that a new one can take their place. $1 machines
UPDATE volume_listings SET ended_at = end_date
WHERE machine_id = ANY($1::int[]) AND ended_at IS NULL AND end_date <= rackrate_now()
