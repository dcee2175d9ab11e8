-- Just past the slot that follows [from, to), else `to`; and how many rows of terms there are in [from, to) and at that slot. Parameters: from, to.
WITH (
  SELECT if(count() = 0, {to:UInt32}, toUnixTimestamp(min(l.slot)) + 1) FROM slots AS l WHERE l.slot >= toDateTime({to:UInt32}, 'UTC')
) AS next
SELECT any(next) AS to, count() AS stored
FROM terms AS t
WHERE toUnixTimestamp(t.slot) >= {from:UInt32} AND toUnixTimestamp(t.slot) < next
