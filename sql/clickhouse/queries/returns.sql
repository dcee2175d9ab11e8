-- name: changes
-- ln of the change of the price index of each GPU name in the 7, 30 and 90 days before `to`; NULL: a day has no link. Parameters: to (start of a day).
SELECT
  gpu_name,
  [
    if(countIf(ln_link IS NOT NULL AND age <= 7) = 7, sumIf(ln_link, age <= 7), NULL),
    if(countIf(ln_link IS NOT NULL AND age <= 30) = 30, sumIf(ln_link, age <= 30), NULL),
    if(count(ln_link) = 90, sum(ln_link), NULL)
  ] AS changes
FROM (
  SELECT gpu_name, day, ln_link, toDate(toDateTime({to:UInt32}, 'UTC')) - day AS age
  FROM price_index FINAL
  WHERE price_index.day >= toDate(toDateTime({to:UInt32}, 'UTC')) - 90 AND price_index.day < toDate(toDateTime({to:UInt32}, 'UTC')) AND gpu_name != ''
  ORDER BY edition DESC
  LIMIT 1 BY gpu_name, day
)
GROUP BY gpu_name

-- name: classes
-- The rows of the view gpu_returns. Parameters: as for the view.
SELECT *
FROM gpu_returns(to = {to:UInt32}, verified = {verified:String}, hosting_type = {hosting_type:String}, num_gpus = {num_gpus:UInt16}, gpu_memory = {gpu_memory:UInt16})
ORDER BY gpu_name, memory, rig, days

-- name: published
-- The end of the newest published day with slots before `to`, and the number of such days of the `most` before it; 0: none. Parameters: to (start of a
-- day), most.
SELECT if(count() = 0, 0, toUnixTimestamp(toDateTime(max(p.day) + 1, 'UTC'))) AS to, countIf(p.day > newest - {most:UInt16}) AS days
FROM published_days AS p FINAL
CROSS JOIN (
  SELECT max(q.day) AS newest FROM published_days AS q FINAL WHERE q.print != 0 AND q.day < toDate(toDateTime({to:UInt32}, 'UTC'))
) AS last
WHERE p.print != 0 AND p.day < toDate(toDateTime({to:UInt32}, 'UTC'))
