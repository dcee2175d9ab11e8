-- Every GPU name that the series knows: how many GPUs and machines it had at its last slot, and when it was first and last seen.
SELECT
  gpu_name AS name,
  argMax(rented_verified + avail_verified + rented_unverified + avail_unverified, bucket) AS machines,
  argMax(rented_verified_gpus + avail_verified_gpus + rented_unverified_gpus + avail_unverified_gpus, bucket) AS gpus,
  toUnixTimestamp(min(bucket)) AS first_seen,
  toUnixTimestamp(max(bucket)) AS last_seen
FROM cube
WHERE step = 1 AND verified = 'all' AND hosting_type = 'all' AND num_gpus = 0
GROUP BY gpu_name
ORDER BY gpu_name
