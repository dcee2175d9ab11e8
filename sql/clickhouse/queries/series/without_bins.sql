-- The end of the newest hour whose rented prices lack a bin, in unix seconds; 0: all have one. No parameters.
SELECT if(count() = 0, 0, toUnixTimestamp(max(hour)) + 3600) AS before FROM price_histogram WHERE rented AND bin = 0
