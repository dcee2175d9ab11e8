-- name: list
-- Every GPU name of the series: its number of machines and GPUs at its last slot, its first and last slot, and its sizes of
-- memory, GB.
SELECT
  gpu_name AS name,
  argMaxIf(total, bucket, gpu_memory = 0) AS machines,
  argMaxIf(total_gpus, bucket, gpu_memory = 0) AS gpus,
  toUnixTimestamp(min(bucket)) AS first_seen,
  toUnixTimestamp(max(bucket)) AS last_seen,
  arraySort(arrayFilter(size -> size > 0, groupUniqArray(gpu_memory + only_memory))) AS memory
FROM cube
WHERE step = 1 AND {{filter_all_sizes}} AND bucket < toDateTime({before:UInt32}, 'UTC')
GROUP BY gpu_name
ORDER BY gpu_name
