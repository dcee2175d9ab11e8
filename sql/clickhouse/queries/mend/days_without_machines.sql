-- Published days with slots and without a row of machine_days. No parameters.
SELECT toUnixTimestamp(toDateTime(p.day, 'UTC')) AS day
FROM published_days AS p FINAL
WHERE p.day IN (SELECT toDate(slot) FROM slots FINAL WHERE ready AND observations > 0)
  AND p.day /*!GLOBAL*/ NOT IN (SELECT DISTINCT day FROM machine_days)
ORDER BY day
