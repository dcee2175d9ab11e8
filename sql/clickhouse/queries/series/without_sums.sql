-- The end of the newest hour whose sums the cube lacks, in unix seconds; 0: it has all. No parameters.
SELECT if(count() = 0, 0, toUnixTimestamp(max(bucket)) + 3600) AS before FROM cube WHERE step = 3600 AND pooled_gpus = 0
