-- How the terms of listings are spread over the machines of the last slot of each hour, per GPU type and term. It names no machine and no account,
-- and has no percentiles of fewer than 5 machines or 3 hosts. Ends of listings are days from the slot on. Counts are signed: readers subtract
-- them. Parameters: from, to (whole hours).
SELECT
  toDateTime64(seen_at, 3, 'UTC') AS time,
  toString(spread.gpu_name) AS gpu_name,
  term,
  toInt64(known) AS machines,
  if(is_thin, NULL, percentiles[1]) AS p10, if(is_thin, NULL, percentiles[2]) AS median, if(is_thin, NULL, percentiles[3]) AS p90
FROM (
  SELECT
    seen_at, gpu_name, term, countIf(value IS NOT NULL) AS known,
    known < 5 OR uniqExactIf(host, value IS NOT NULL) < 3 AS is_thin,
    quantilesExactWeighted(0.1, 0.5, 0.9)(if(term = 'days_left', (value - toUnixTimestamp(seen_at)) / 86400, value), 1) AS percentiles
  FROM (
    SELECT
      o.slot AS seen_at, o.gpu_name AS gpu_name, machine_id, any((ifNull(host_id, 0), if(host_id IS NULL, machine_id, 0))) AS host,
      JSONExtract(max(toString(o.terms)), 'Array(Nullable(Float64))') AS known_terms
    FROM observations AS o
    WHERE o.slot /*!GLOBAL*/ IN (
      SELECT max(s.slot) FROM slots AS s
      WHERE s.ready AND s.slot >= toDateTime({from:UInt32}, 'UTC') AND s.slot < toDateTime({to:UInt32}, 'UTC')
      GROUP BY toStartOfHour(s.slot)
    ) AND o.terms != ''
    GROUP BY seen_at, gpu_name, machine_id
  )
  ARRAY JOIN
    ['min_bid', 'days_left', 'credit_discount_max', 'reliability', 'storage_cost', 'inet_up_cost', 'inet_down_cost'] AS term,
    arrayResize(known_terms, 7, NULL) AS value
  GROUP BY seen_at, gpu_name, term
) AS spread
WHERE known > 0
ORDER BY time, gpu_name, term
