-- The days (UTC) of the series, newest first. A day is complete when the series has a later one and readers see all its slots. `revision`
-- changes whenever what a file of the day holds may. No parameters.
SELECT
  toUnixTimestamp(toStartOfDay(slot)) AS day,
  max(s.revision) AS revision,
  toBool(countIf(source = 'simulated') > 0) AS simulated,
  toBool(min(ready) AND day < (SELECT toUnixTimestamp(toStartOfDay(max(slot))) FROM slots WHERE ready)) AS complete
FROM slots AS s FINAL
GROUP BY day
ORDER BY day DESC
