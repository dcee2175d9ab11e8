-- Every edition of the days of [from, to) that were published more than once. Parameters: names Array(String), from, to (starts of days).
SELECT
  gpu_name, toUnixTimestamp(toDateTime(day, 'UTC')) AS timestamp, edition, reason, toUnixTimestamp(published_at) AS published_at,
  ln_link, hash
FROM price_index FINAL
WHERE gpu_name IN {names:Array(String)}
  AND price_index.day >= toDate(toDateTime({from:UInt32}, 'UTC')) AND price_index.day < toDate(toDateTime({to:UInt32}, 'UTC'))
  AND (gpu_name, day) IN (SELECT gpu_name, day FROM price_index WHERE edition > 1)
ORDER BY gpu_name, price_index.day, edition
