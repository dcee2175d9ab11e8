-- Per GPU name: the occupancy over all slots of the 30 days that end with a slot, in percent, and the available median a week before it,
-- at the newest slot that is at most an hour older than that. Parameters: the filters, slot.
WITH (
  SELECT max(s.slot) FROM slots AS s
  WHERE s.ready AND s.slot <= toDateTime({slot:UInt32} - 604800, 'UTC') AND s.slot > toDateTime({slot:UInt32} - 608400, 'UTC')
) AS week_before
SELECT
  gpu_name,
  100 * sum(rented_verified_gpus + rented_unverified_gpus) / sum(total_gpus) AS usage_30d,
  toFloat64(anyIf(avail_median, bucket = week_before)) AS median_before
FROM cube FINAL
WHERE step = 1
  AND {{filter_cube}}
  AND bucket > toDateTime({slot:UInt32} - 2592000, 'UTC') AND bucket <= toDateTime({slot:UInt32}, 'UTC')
GROUP BY gpu_name
