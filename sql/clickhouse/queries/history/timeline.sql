-- The buckets of [from, to) in which the market has a slot, the last slot of each and how many it has. Parameters: step, from, to.
SELECT
  intDiv(toUnixTimestamp(slot), {step:UInt32}) * {step:UInt32} AS start,
  toUnixTimestamp(max(slot)) AS last_slot,
  uniqExact(slot) AS slots
FROM slots
WHERE ready AND slot >= toDateTime({from:UInt32}, 'UTC') AND slot < toDateTime({to:UInt32}, 'UTC')
GROUP BY start
ORDER BY start
