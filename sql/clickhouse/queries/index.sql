-- name: days
-- The price index of some GPU names ('' is the market) by day of [from, to), unix seconds. A chain of links begins after each day without a
-- link: `base` is the day before its first link, where the level is 100. Parameters: names Array(String), from, to (starts of days).
SELECT
  gpu_name,
  toUnixTimestamp(toDateTime(day, 'UTC')) AS day,
  if(ln_link IS NULL, NULL, 100 * exp(moved)) AS level,
  if(ln_link IS NULL, NULL, toUnixTimestamp(toDateTime(first_link - 1, 'UTC'))) AS base,
  ln_link, machines, matched_share,
  if(links_28 = 28, 100 * (exp(moved_28 - ln_link_28) - 1), NULL) AS drift,
  edition, hash
FROM (
  SELECT
    *,
    sum(ln_link) OVER chain AS moved,
    min(if(ln_link IS NULL, NULL, day)) OVER chain AS first_link,
    sum(ln_link) OVER month AS moved_28,
    count(ln_link) OVER month AS links_28
  FROM (
    SELECT *, countIf(ln_link IS NULL) OVER (PARTITION BY gpu_name ORDER BY day) AS breaks
    FROM (
      SELECT * FROM price_index FINAL
      WHERE gpu_name IN {names:Array(String)} AND price_index.day < toDate(toDateTime({to:UInt32}, 'UTC'))
      ORDER BY edition DESC
      LIMIT 1 BY gpu_name, day
    )
  )
  WINDOW
    chain AS (PARTITION BY gpu_name, breaks ORDER BY day),
    month AS (PARTITION BY gpu_name, breaks ORDER BY day ROWS BETWEEN 27 PRECEDING AND CURRENT ROW)
) AS linked
WHERE linked.day >= toDate(toDateTime({from:UInt32}, 'UTC'))
ORDER BY gpu_name, linked.day

-- name: editions
-- All vintages of the days of [from, to) that were published more than once. Parameters: names Array(String), from, to (starts of
-- days).
SELECT
  gpu_name, toUnixTimestamp(toDateTime(day, 'UTC')) AS timestamp, edition, reason, toUnixTimestamp(published_at) AS published_at,
  ln_link, hash
FROM price_index FINAL
WHERE gpu_name IN {names:Array(String)}
  AND price_index.day >= toDate(toDateTime({from:UInt32}, 'UTC')) AND price_index.day < toDate(toDateTime({to:UInt32}, 'UTC'))
  AND (gpu_name, day) /*!GLOBAL*/ IN (SELECT gpu_name, day FROM price_index WHERE edition > 1)
ORDER BY gpu_name, price_index.day, edition
