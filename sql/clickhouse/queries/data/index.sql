-- The newest edition of the price index of a day; the name of the market is empty. Counts are signed: readers subtract them.
-- Parameters: from (the start of the day).
SELECT
  toDateTime64(toDateTime(i.day, 'UTC'), 3, 'UTC') AS time,
  toString(i.gpu_name) AS gpu_name,
  toInt64(i.edition) AS edition,
  toInt64(i.machines) AS machines, matched_share, ln_link,
  toInt64(i.machines_28) AS machines_28, matched_share_28, ln_link_28,
  hash
FROM price_index AS i FINAL
WHERE i.day = toDate(toDateTime({from:UInt32}, 'UTC'))
ORDER BY gpu_name, i.edition DESC
LIMIT 1 BY gpu_name
