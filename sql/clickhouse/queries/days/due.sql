-- The days of [since, until) that are to be published, oldest first: those never published, and those whose slots, or the slots of a day that
-- they are compared with, have changed since. A day that has lost all its slots has a fingerprint of 0. Times are unix seconds, fingerprints
-- text, since they are too long for a number of JavaScript. `reason` is why the next edition is published.
-- Parameters: since, until (starts of days), most.
WITH
  (
    SELECT groupArray((day, print)) FROM (
      SELECT toDate(slot) AS day, sum({{slot_print}}) AS print
      FROM slots FINAL
      WHERE ready
      GROUP BY day
    )
  ) AS found,
  (SELECT groupArray((p.day, (p.print, p.print_1, p.print_28))) FROM published_days AS p FINAL) AS stored,
  CAST(found, 'Map(Date, UInt64)') AS prints,
  CAST(stored, 'Map(Date, Tuple(UInt64, UInt64, UInt64))') AS published
SELECT
  toUnixTimestamp(toDateTime(days.day, 'UTC')) AS day,
  toString(now.1) AS print, toString(now.2) AS print_1, toString(now.3) AS print_28,
  multiIf(
    NOT is_published, 'first publication',
    now.1 != then.1, 'the data of the day changed',
    now.2 != then.2, 'the data of the day before changed',
    'the data of the day 28 days before changed'
  ) AS reason
FROM (
  SELECT
    day,
    (prints[day], prints[day - 1], prints[day - 28]) AS now,
    published[day] AS then,
    mapContains(published, day) AS is_published
  FROM (SELECT arrayJoin(arrayDistinct(arrayConcat(mapKeys(prints), mapKeys(published)))) AS day)
) AS days
WHERE (NOT is_published OR now != then)
  AND days.day >= toDate(toDateTime({since:UInt32}, 'UTC')) AND days.day < toDate(toDateTime({until:UInt32}, 'UTC'))
ORDER BY day
LIMIT {most:UInt32}
