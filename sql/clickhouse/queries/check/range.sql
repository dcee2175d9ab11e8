-- From the first row of any table to just past the last; both 0 when there is none.
SELECT toUInt32(ifNull(minOrNull(first), 0)) AS from, toUInt32(ifNull(maxOrNull(last), 0)) AS to
FROM (
  SELECT toUnixTimestamp(min(slot)) AS first, toUnixTimestamp(max(slot)) + 1 AS last, count() AS rows FROM slots
  UNION ALL
  SELECT toUnixTimestamp(min(slot)), toUnixTimestamp(max(slot)) + 1, count() FROM observations
  UNION ALL
  SELECT toUnixTimestamp(min(hour)), toUnixTimestamp(max(hour)) + 3600, count() FROM price_histogram
  UNION ALL
  SELECT toUnixTimestamp(min(bucket)), max(toUnixTimestamp(bucket) + 1), count() FROM price_steps
  UNION ALL
  SELECT toUnixTimestamp(min(bucket)), max(toUnixTimestamp(bucket) + 1), count() FROM cube
  UNION ALL
  SELECT toUnixTimestamp(min(hour)), toUnixTimestamp(max(hour)) + 3600, count() FROM flows
  UNION ALL
  SELECT toUnixTimestamp(min(slot)), toUnixTimestamp(max(slot)) + 1, count() FROM terms
  UNION ALL
  SELECT toUnixTimestamp(toDateTime(min(day), 'UTC')), toUnixTimestamp(toDateTime(max(day), 'UTC')) + 86400, count() FROM machine_days
  UNION ALL
  SELECT toUnixTimestamp(toDateTime(min(day), 'UTC')), toUnixTimestamp(toDateTime(max(day), 'UTC')) + 86400, count() FROM price_index
  UNION ALL
  SELECT toUnixTimestamp(toDateTime(min(day), 'UTC')), toUnixTimestamp(toDateTime(max(day), 'UTC')) + 86400, count() FROM published_days
)
WHERE rows > 0
