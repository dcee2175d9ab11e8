-- Just past the newest slot whose thin marks or median at the last slot the cube lacks, in unix seconds; 0: it has all. No parameters.
SELECT if(count() = 0, 0, toUnixTimestamp(max(bucket)) + 1) AS before
FROM cube
WHERE step = 1
  AND (rented_thin = 'unknown' AND rented_median IS NOT NULL OR avail_thin = 'unknown' AND avail_median IS NOT NULL OR last_ask_diff IS NULL)
