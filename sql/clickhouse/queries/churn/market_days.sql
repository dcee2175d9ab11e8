-- The published days of [from, to) on which the market has slots. Parameters: from, to (starts of days).
SELECT toUnixTimestamp(toDateTime(published.day, 'UTC')) AS day
FROM published_days AS published FINAL
WHERE print != 0
  AND published.day >= toDate(toDateTime({from:UInt32}, 'UTC')) AND published.day < toDate(toDateTime({to:UInt32}, 'UTC'))
ORDER BY published.day
