-- What snapshots record of each simulated machine and the simulation itself does not know. Machines that have left are included.
SELECT id, account_id AS "hostId", coalesce(country, '') AS country, min_gpus AS "minGpus" FROM machines
