-- The days (UTC) of the series, newest first. A day is complete when the series has a later one and readers see all its slots. `revision`
-- changes whenever what a file of the day holds may: flows of old days and the price index are computed later than the rest. No parameters.
SELECT day, greatest(seen.revision, flowed.revision, indexed.revision) AS revision, simulated, complete
FROM (
  SELECT
    toUnixTimestamp(toStartOfDay(slot)) AS day,
    max(s.revision) AS revision,
    toBool(countIf(source = 'simulated') > 0) AS simulated,
    toBool(min(ready) AND day < (SELECT toUnixTimestamp(toStartOfDay(max(slot))) FROM slots WHERE ready)) AS complete
  FROM slots AS s FINAL
  GROUP BY day
) AS seen
LEFT JOIN (SELECT toUnixTimestamp(toStartOfDay(hour)) AS day, max(f.revision) AS revision FROM flows AS f GROUP BY day) AS flowed USING (day)
LEFT JOIN (
  SELECT toUnixTimestamp(toDateTime(i.day, 'UTC')) AS day, max(i.revision) AS revision FROM price_index AS i GROUP BY day
) AS indexed USING (day)
ORDER BY day DESC
