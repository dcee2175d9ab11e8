-- name: days
-- The days (UTC) of the series, newest first. A day is complete when the series has a later one and readers see all its slots. `revision` changes
-- whenever the content of the day's files may change: flows of old days and the price index are computed later than the rest. No parameters.
SELECT day, greatest(seen.revision, flowed.revision, indexed.revision) AS revision, simulated, complete
FROM (
  SELECT
    toUnixTimestamp(toStartOfDay(slot)) AS day,
    max(s.revision) AS revision,
    toBool(countIf(source = 'simulated') > 0) AS simulated,
    toBool(min(ready) AND day < (SELECT toUnixTimestamp(toStartOfDay(max(slot))) FROM slots WHERE ready)) AS complete
  FROM slots AS s FINAL
  GROUP BY day
) AS seen
LEFT JOIN (SELECT toUnixTimestamp(toStartOfDay(hour)) AS day, max(f.revision) AS revision FROM flows AS f GROUP BY day) AS flowed USING (day)
LEFT JOIN (
  SELECT toUnixTimestamp(toDateTime(i.day, 'UTC')) AS day, max(i.revision) AS revision FROM price_index AS i GROUP BY day
) AS indexed USING (day)
ORDER BY day DESC

-- name: flows
-- Rentals per hour, class of machines and price position: the cells that any fill rate is computed from. It names no machine and no account.
-- GPU-hours. Figures of rentals are NULL where no source reports rentals. Counts are signed: readers subtract them.
-- Parameters: csv, has_rentals UInt8, from, to (whole hours).
WITH ({{cell_text}}) AS cell_text
SELECT
  toDateTime64(hour, 3, 'UTC') AS time,
  cell_text(toString(f.gpu_name)) AS gpu_name, toInt64(num_gpus) AS num_gpus, verified, toString(f.hosting_type) AS hosting_type,
  nullIf(toInt64(gpu_memory), 0) AS gpu_memory,
  if(verified, 'verified', toString(f.tier)) AS tier,
  if(position = 10, NULL, toInt64(position)) AS position,
  exposure / 3600 AS exposure_gpu_hours,
  if({has_rentals:UInt8} = 0, NULL, toInt64(f.rentals)) AS rentals, if({has_rentals:UInt8} = 0, NULL, toInt64(f.withdrawn)) AS withdrawn,
  if({has_rentals:UInt8} = 0, NULL, held / 3600) AS held_gpu_hours,
  if({has_rentals:UInt8} = 0, NULL, toInt64(f.returns)) AS returns,
  toFloat64(f.price_low) AS price_low, toFloat64(f.price_high) AS price_high
FROM flows AS f FINAL
WHERE hour >= toDateTime({from:UInt32}, 'UTC') AND hour < toDateTime({to:UInt32}, 'UTC')
ORDER BY time, gpu_name, num_gpus, verified, hosting_type, f.gpu_memory, tier, f.position

-- name: history
-- The market without filters, per GPU type and bucket of whole hours: the figures of the history and of revenue.
-- Prices of rented GPUs are NULL where no slot of the bucket shows them, and all figures of rentals where no source reports rentals.
-- Counts are signed: readers subtract them. Parameters: csv, own, has_rentals UInt8, step, from, to (on the step).
WITH ({{cell_text}}) AS cell_text
SELECT
  toDateTime64(points.bucket, 3, 'UTC') AS time,
  cell_text(toString(points.gpu_name)) AS gpu_name,
  toInt64(market.slots) AS slots,
  toInt64(total) AS total, toInt64(available) AS available, if({has_rentals:UInt8} = 0, NULL, toInt64(points.rented_verified)) AS rented_verified,
  toInt64(avail_verified) AS avail_verified, if({has_rentals:UInt8} = 0, NULL, toInt64(points.rented_unverified)) AS rented_unverified,
  toInt64(avail_unverified) AS avail_unverified,
  toInt64(total_gpus) AS total_gpus, if({has_rentals:UInt8} = 0, NULL, toInt64(points.rented_verified_gpus)) AS rented_verified_gpus,
  toInt64(avail_verified_gpus) AS avail_verified_gpus, if({has_rentals:UInt8} = 0, NULL, toInt64(points.rented_unverified_gpus)) AS rented_unverified_gpus,
  toInt64(avail_unverified_gpus) AS avail_unverified_gpus,
  tflops, dlperf,
  if(is_shown, toFloat64(points.rented_p10), NULL) AS rented_p10, if(is_shown, toFloat64(points.rented_median), NULL) AS rented_median,
  if(is_shown, toFloat64(points.rented_p90), NULL) AS rented_p90,
  toFloat64(avail_p10) AS avail_p10, toFloat64(avail_median) AS avail_median, toFloat64(avail_p90) AS avail_p90,
  if({has_rentals:UInt8} = 1 AND (is_shown OR sums.rented_gpus = 0), sums.paid / nullIf(sums.all_gpus, 0), NULL) AS revpag,
  if(is_shown, sums.paid / nullIf(sums.rented_gpus, 0), NULL) AS adr,
  if(sums.all_gpus = 0 OR {has_rentals:UInt8} = 0, NULL, sums.rented_gpus / sums.all_gpus) AS occupancy
FROM (
  SELECT * FROM cube FINAL
  WHERE step = {step:UInt32} AND {{filter_whole_market}}
    AND bucket >= toDateTime({from:UInt32}, 'UTC') AND bucket < toDateTime({to:UInt32}, 'UTC')
) AS points
INNER JOIN (
  SELECT toDateTime(intDiv(toUnixTimestamp(slot), {step:UInt32}) * {step:UInt32}, 'UTC') AS bucket, uniqExact(slot) AS slots
  FROM slots
  WHERE ready AND slot >= toDateTime({from:UInt32}, 'UTC') AND slot < toDateTime({to:UInt32}, 'UTC')
  GROUP BY bucket
) AS market ON market.bucket = points.bucket
LEFT JOIN (
  SELECT
    gpu_name, toDateTime(intDiv(toUnixTimestamp(hour), {step:UInt32}) * {step:UInt32}, 'UTC') AS bucket,
    sumIf(gpus, rented) AS rented_gpus, sum(gpus) AS all_gpus, toFloat64(sumIf(toDecimal128(price, 9) * gpus, rented)) AS paid
  FROM price_histogram FINAL
  WHERE hour >= toDateTime({from:UInt32}, 'UTC') AND hour < toDateTime({to:UInt32}, 'UTC')
  GROUP BY gpu_name, bucket
) AS sums ON sums.bucket = points.bucket AND sums.gpu_name = points.gpu_name
LEFT JOIN (
  SELECT
    gpu_name, toDateTime(intDiv(toUnixTimestamp(cube.bucket), {step:UInt32}) * {step:UInt32}, 'UTC') AS bucket, countIf({{rented_shown}}) > 0 AS is_shown
  FROM cube FINAL
  WHERE step = 1 AND {{filter_whole_market}}
    AND cube.bucket >= toDateTime({from:UInt32}, 'UTC') AND cube.bucket < toDateTime({to:UInt32}, 'UTC')
  GROUP BY gpu_name, bucket
) AS cells ON cells.bucket = points.bucket AND cells.gpu_name = points.gpu_name
ORDER BY time, gpu_name

-- name: index
-- The newest edition of the price index of a day; the name of the market is empty. Counts are signed: readers subtract them.
-- Parameters: csv, from (the start of the day).
WITH ({{cell_text}}) AS cell_text
SELECT
  toDateTime64(toDateTime(i.day, 'UTC'), 3, 'UTC') AS time,
  cell_text(toString(i.gpu_name)) AS gpu_name,
  toInt64(i.edition) AS edition,
  toInt64(i.machines) AS machines, matched_share, ln_link,
  toInt64(i.machines_28) AS machines_28, matched_share_28, ln_link_28,
  hash
FROM price_index AS i FINAL
WHERE i.day = toDate(toDateTime({from:UInt32}, 'UTC'))
ORDER BY gpu_name, i.edition DESC
LIMIT 1 BY gpu_name

-- name: list_prices
-- The lowest list price of each GPU type at the end of a day, by catalog, provider and kind: an offer counts from its row until its next one.
-- Counts are signed: readers subtract them. Parameters: csv, from, to (the day), read Array(String): the catalogs and providers that were read by
-- then, for example "gpuhunt aws". Older prices of other catalogs are left out.
WITH ({{cell_text}}) AS cell_text
SELECT
  toDateTime64(toDateTime({from:UInt32}, 'UTC'), 3, 'UTC') AS time,
  cell_text(toString(offer.gpu_name)) AS gpu_name, cell_text(toString(offer.catalog)) AS catalog, cell_text(toString(offer.provider)) AS provider, spot,
  toFloat64(asked) AS price, cell_text(toString(offer.region)) AS region, cell_text(toString(offer.instance_name)) AS instance_name, toInt64(offer.gpus) AS gpus
FROM (
  SELECT
    gpu_name, catalog, provider, spot, region, instance_name, gpus, gpu_memory, listed_name,
    argMax(tuple(l.price), l.time).1 AS asked
  FROM list_prices AS l
  WHERE gpu_name != '' AND l.time < toDateTime({to:UInt32}, 'UTC') AND has({read:Array(String)}, concat(catalog, ' ', provider))
  GROUP BY gpu_name, catalog, provider, spot, region, instance_name, gpus, gpu_memory, listed_name
) AS offer
WHERE asked IS NOT NULL
ORDER BY gpu_name, catalog, provider, spot, price, gpus, region, instance_name
LIMIT 1 BY gpu_name, catalog, provider, spot

-- name: prices
-- GPUs per price, class of machines and hour. It names no machine and no account. Rented GPUs of an own market have a price where the class has enough
-- machines and hosts in a slot of the hour. NULL: no price is shown, or no source reports which GPUs are rented. Parameters: csv, own, has_rentals UInt8, from, to (whole hours).
WITH ({{cell_text}}) AS cell_text
SELECT
  toDateTime64(seen.hour, 3, 'UTC') AS time,
  cell_text(toString(seen.gpu_name)) AS gpu_name,
  toInt64(seen.num_gpus) AS num_gpus,
  seen.verified AS verified,
  toString(seen.hosting_type) AS hosting_type,
  nullIf(toInt64(seen.gpu_memory), 0) AS gpu_memory,
  if(seen.verified, 'verified', toString(seen.tier)) AS tier,
  if({has_rentals:UInt8} = 0, NULL, seen.rented) AS rented,
  if(NOT seen.rented OR {own:UInt8} = 0 OR is_enough, toFloat64(seen.price), NULL) AS price,
  toInt64(sum(seen.gpus)) AS gpus
FROM (
  SELECT * FROM price_histogram FINAL
  WHERE hour >= toDateTime({from:UInt32}, 'UTC') AND hour < toDateTime({to:UInt32}, 'UTC')
) AS seen
LEFT JOIN (
  SELECT DISTINCT toStartOfHour(slot) AS hour, gpu_name, {{machine_columns}}, true AS is_enough
  FROM (
    SELECT slot, gpu_name, {{machine_columns}}
    FROM observations
    WHERE slot >= toDateTime({from:UInt32}, 'UTC') AND slot < toDateTime({to:UInt32}, 'UTC')
    GROUP BY slot, gpu_name, {{machine_columns}}
    HAVING {{enough_rented}}
  )
) AS cells USING (hour, gpu_name, {{machine_columns}})
GROUP BY ALL
ORDER BY time, gpu_name, num_gpus, verified, hosting_type, gpu_memory, tier, rented, price

-- name: specs
-- The distribution of the specs of machines over the machines of the last slot of each hour, per GPU type and spec. It names no machine and no account,
-- and has no percentiles of fewer than 5 machines or 3 hosts. A static address is 1. Counts are signed: readers subtract them.
-- Parameters: csv, from, to (whole hours).
WITH ({{cell_text}}) AS cell_text
SELECT
  toDateTime64(seen_at, 3, 'UTC') AS time,
  cell_text(toString(spread.gpu_name)) AS gpu_name,
  spec,
  toInt64(known) AS machines,
  if(is_thin, NULL, percentiles[1]) AS p10, if(is_thin, NULL, percentiles[2]) AS median, if(is_thin, NULL, percentiles[3]) AS p90
FROM (
  SELECT
    seen_at, gpu_name, spec, countIf(value IS NOT NULL) AS known,
    known < 5 OR uniqExactIf(host, value IS NOT NULL) < 3 AS is_thin,
    quantilesExactWeighted(0.1, 0.5, 0.9)(value, 1) AS percentiles
  FROM (
    SELECT
      o.slot AS seen_at, o.gpu_name AS gpu_name, machine_id, any(({{host_of_machine}})) AS host,
      JSONExtract(max(toString(o.specs)), {{spec_types}}) AS found
    FROM observations AS o
    WHERE o.slot /*!GLOBAL*/ IN (
      SELECT max(s.slot) FROM slots AS s
      WHERE s.ready AND s.slot >= toDateTime({from:UInt32}, 'UTC') AND s.slot < toDateTime({to:UInt32}, 'UTC')
      GROUP BY toStartOfHour(s.slot)
    ) AND o.specs != ''
    GROUP BY seen_at, gpu_name, machine_id
  )
  ARRAY JOIN
    [
      'inet_up', 'inet_down', 'disk_bw', 'disk_space', 'cpu_cores_effective', 'cpu_ram', 'pcie_bw', 'gpu_mem_bw',
      'cuda_max_good', 'direct_port_count', 'static_ip', 'score'
    ] AS spec,
    [
      toFloat64(found.1), toFloat64(found.2), toFloat64(found.3), toFloat64(found.4), toFloat64(found.6),
      toFloat64(found.7), toFloat64(found.8), toFloat64(found.9), toFloat64(found.11), toFloat64(found.12), toFloat64(found.13), toFloat64(found.14)
    ] AS value
  GROUP BY seen_at, gpu_name, spec
) AS spread
WHERE known > 0
ORDER BY time, gpu_name, spec

-- name: terms
-- The distribution of the terms of listings over the machines of the last slot of each hour, per GPU type and term. It names no machine and no
-- account, and has no percentiles of fewer than 5 machines or 3 hosts. Ends of listings are days from the slot on. Counts are signed: readers
-- subtract them. Parameters: csv, from, to (whole hours).
WITH ({{cell_text}}) AS cell_text
SELECT
  toDateTime64(seen_at, 3, 'UTC') AS time,
  cell_text(toString(spread.gpu_name)) AS gpu_name,
  if(term = 'end_date', 'days_left', term) AS term,
  toInt64(known) AS machines,
  if(is_thin, NULL, percentiles[1]) AS p10, if(is_thin, NULL, percentiles[2]) AS median, if(is_thin, NULL, percentiles[3]) AS p90
FROM (
  SELECT
    seen_at, gpu_name, term, countIf(value IS NOT NULL) AS known,
    known < 5 OR uniqExactIf(host, value IS NOT NULL) < 3 AS is_thin,
    quantilesExactWeighted(0.1, 0.5, 0.9)(if(term = 'end_date', (value - toUnixTimestamp(seen_at)) / 86400, value), 1) AS percentiles
  FROM (
    SELECT
      o.slot AS seen_at, o.gpu_name AS gpu_name, machine_id, any(({{host_of_machine}})) AS host,
      JSONExtract(max(toString(o.terms)), 'Array(Nullable(Float64))') AS known_terms
    FROM observations AS o
    WHERE o.slot /*!GLOBAL*/ IN (
      SELECT max(s.slot) FROM slots AS s
      WHERE s.ready AND s.slot >= toDateTime({from:UInt32}, 'UTC') AND s.slot < toDateTime({to:UInt32}, 'UTC')
      GROUP BY toStartOfHour(s.slot)
    ) AND o.terms != ''
    GROUP BY seen_at, gpu_name, machine_id
  )
  ARRAY JOIN {{term_names}} AS term, arrayResize(known_terms, length({{term_names}}), NULL) AS value
  GROUP BY seen_at, gpu_name, term
) AS spread
WHERE known > 0
ORDER BY time, gpu_name, term
