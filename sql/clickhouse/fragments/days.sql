-- {{last_slots_of_days}}: the last slot of the market on each of the 30 days before `to`, as an array. Parameters: to UInt32 (start of a day).
SELECT groupArray(slot) FROM (
  SELECT max(s.slot) AS slot FROM slots AS s
  WHERE s.ready AND s.slot >= toDateTime({to:UInt32} - 2592000, 'UTC') AND s.slot < toDateTime({to:UInt32}, 'UTC')
  GROUP BY toDate(s.slot)
)
