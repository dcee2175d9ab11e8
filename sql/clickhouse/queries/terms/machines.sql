-- The terms of some machines at a slot as JSON, in the order of the observations; those of which none is known are left out.
-- Parameters: ids Array(UInt64), names Array(String), slot.
SELECT machine_id AS id, gpu_name, max(toString(seen.terms)) AS text
FROM observations AS seen
WHERE gpu_name IN {names:Array(String)} AND machine_id IN {ids:Array(UInt64)} AND slot = toDateTime({slot:UInt32}, 'UTC') AND seen.terms != ''
GROUP BY machine_id, gpu_name
