-- Rows of [from, to) with steps that are never computed. Parameters: from, to; steps Array(UInt32), those of the cube; price_steps Array(UInt32).
SELECT 'cube' AS table, step, count() AS rows, toUnixTimestamp(min(bucket)) AS first, toUnixTimestamp(max(bucket)) AS last
FROM cube FINAL
WHERE step NOT IN {steps:Array(UInt32)} AND bucket >= toDateTime({from:UInt32}, 'UTC') AND bucket < toDateTime({to:UInt32}, 'UTC')
GROUP BY step
UNION ALL
SELECT 'price_steps', step, count(), toUnixTimestamp(min(bucket)), toUnixTimestamp(max(bucket))
FROM price_steps FINAL
WHERE step NOT IN {price_steps:Array(UInt32)} AND bucket >= toDateTime({from:UInt32}, 'UTC') AND bucket < toDateTime({to:UInt32}, 'UTC')
GROUP BY step
