-- The end of the newest hour with prices of GPUs without a size of memory, in unix seconds; 0: there are none. No parameters.
SELECT if(count() = 0, 0, toUnixTimestamp(max(hour)) + 3600) AS before FROM price_histogram WHERE gpu_memory = 0
