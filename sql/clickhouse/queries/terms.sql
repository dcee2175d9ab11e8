-- name: distribution
-- The distribution of each term over the machines of a slot, per GPU name and place of the term in the observations: the number
-- of machines and hosts with a known value, and its percentiles, nearest rank. A machine with an unknown host counts as a host of
-- its own. Parameters: the filters, slot; count UInt8, the number of terms.
SELECT
  gpu_name, place, count() AS machines, countIf(value IS NOT NULL) AS known, uniqExactIf(host, value IS NOT NULL) AS hosts,
  quantilesExactWeighted(0.1, 0.5, 0.9)(value, 1) AS percentiles
FROM (
  SELECT gpu_name, machine_id, any(({{host_of_machine}})) AS host, JSONExtract(max(toString(terms)), 'Array(Nullable(Float64))') AS known_terms
  FROM observations
  WHERE slot = toDateTime({slot:UInt32}, 'UTC')
    AND {{filter_machines}}
  GROUP BY gpu_name, machine_id
)
ARRAY JOIN range(1, {count:UInt8} + 1) AS place, arrayResize(known_terms, {count:UInt8}, NULL) AS value
GROUP BY gpu_name, place
ORDER BY gpu_name, place

-- name: machines
-- The terms of some machines at a slot as JSON, in the order of the observations, or an empty text if none is known; and the country, which may be empty.
-- Parameters: ids Array(UInt64), names Array(String), slot.
SELECT machine_id AS id, gpu_name, max(toString(seen.terms)) AS text, max(toString(seen.country)) AS country
FROM observations AS seen
WHERE gpu_name IN {names:Array(String)} AND machine_id IN {ids:Array(UInt64)} AND slot = toDateTime({slot:UInt32}, 'UTC')
GROUP BY machine_id, gpu_name
