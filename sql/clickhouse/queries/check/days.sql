-- The published days of [from, to) whose rows can be computed again, in unix seconds. Parameters: from, to.
SELECT toUnixTimestamp(toDateTime(published.day, 'UTC')) AS day
FROM published_days AS published FINAL
WHERE published.day >= toDate(toDateTime({from:UInt32}, 'UTC')) AND toDateTime(published.day, 'UTC') < toDateTime({to:UInt32}, 'UTC')
ORDER BY day
