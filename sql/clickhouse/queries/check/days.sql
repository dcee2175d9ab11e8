-- The days of [from, to) that have slots or anything stored by day: what they have, and how many rows of the index and of the list of published
-- days do not fit their seal. Unix seconds. Parameters: from, to (starts of days).
SELECT
  toUnixTimestamp(toDateTime(stored.date, 'UTC')) AS day,
  max(what = 'slots') AS has_slots, max(what = 'machines') AS has_machines, max(what = 'index') AS has_index,
  max(what = 'published') AS is_published,
  sum(what = 'index' ? damaged : 0) AS damaged_index, sum(what = 'published' ? damaged : 0) AS damaged_published
FROM (
  SELECT DISTINCT toDate(slot) AS date, 'slots' AS what, 0 AS damaged FROM slots
  UNION ALL
  SELECT DISTINCT m.day AS date, 'machines', 0 FROM machine_days AS m
  UNION ALL
  SELECT i.day AS date, 'index', countIf(NOT i.is_sealed) FROM price_index AS i GROUP BY i.day
  UNION ALL
  SELECT p.day AS date, 'published', countIf(NOT p.is_sealed) FROM published_days AS p GROUP BY p.day
) AS stored
WHERE stored.date >= toDate(toDateTime({from:UInt32}, 'UTC')) AND stored.date < toDate(toDateTime({to:UInt32}, 'UTC'))
GROUP BY day
ORDER BY day
