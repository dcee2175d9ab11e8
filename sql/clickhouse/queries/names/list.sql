-- Every GPU name of the series: how many machines and GPUs it had at its last slot, and when it was first and last seen.
SELECT
  gpu_name AS name,
  argMax(total, bucket) AS machines,
  argMax(total_gpus, bucket) AS gpus,
  toUnixTimestamp(min(bucket)) AS first_seen,
  toUnixTimestamp(max(bucket)) AS last_seen
FROM cube
WHERE step = 1 AND {{filter_whole_market}}
GROUP BY gpu_name
ORDER BY gpu_name
