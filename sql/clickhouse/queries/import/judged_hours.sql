-- What becomes of the rows of an import, hour by hour and file by file. Parameters: those of judged_rows.sql.
SELECT
  toUnixTimestamp(toStartOfHour(slot)) AS hour, file, countIf(verdict = 'new') AS observations,
  countIf(verdict = 'odd') AS odd, countIf(verdict = 'contrary') AS contrary
FROM (
  $judged_rows
)
GROUP BY hour, file
ORDER BY hour, file
