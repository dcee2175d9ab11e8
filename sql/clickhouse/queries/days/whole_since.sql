-- From when on, until `until`, the rows of machine_days are those of the slots. A day before that is to be published, or published again.
-- Parameters: since, until (starts of days, unix seconds).
SELECT greatest({since:UInt32}, toUnixTimestamp(toDateTime(max(day) + 1, 'UTC'))) AS since
FROM (
  SELECT day
  FROM (
    SELECT toDate(slot) AS day, {{slot_print}} AS present, toUInt64(0) AS published
    FROM slots FINAL
    WHERE ready AND slot >= toDateTime({since:UInt32}, 'UTC') AND slot < toDateTime({until:UInt32}, 'UTC')
    UNION ALL
    SELECT p.day, 0, p.print
    FROM published_days AS p FINAL
    WHERE p.day >= toDate(toDateTime({since:UInt32}, 'UTC')) AND p.day < toDate(toDateTime({until:UInt32}, 'UTC'))
  )
  GROUP BY day
  HAVING sum(present) != sum(published)
)
