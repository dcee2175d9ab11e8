-- GPUs per price and hour. It names no machine and no account. A rented GPU of an own market has the price bin from `price` to `price_to` that
-- hosts see (views/histogram_rows.sql), of all rigs and hosting types; else both are its price. NULL: no price is shown.
-- Parameters: own, from, to (whole hours).
SELECT
  toDateTime64(hour, 3, 'UTC') AS time,
  toString(h.gpu_name) AS gpu_name,
  if(low = high AND low >= 0, toInt64(h.num_gpus), NULL) AS num_gpus,
  verified,
  if(low = high AND low >= 0, toString(h.hosting_type), NULL) AS hosting_type,
  nullIf(toInt64(h.gpu_memory), 0) AS gpu_memory,
  rented,
  if(low < 0, NULL, low / 1e9) AS price,
  if(low < 0, NULL, high / 1e9) AS price_to,
  toInt64(sum(h.gpus)) AS gpus
FROM (
  SELECT
    *,
    multiIf(NOT rented OR {own:UInt8} = 0 OR bin = 1, 1, bin = 0, 255, bin) AS shown,
    bitShiftLeft(toInt64(10000000), greatest(2, least(13, shown)) - 2) AS width,
    multiIf(shown = 1, reinterpretAsInt64(h.price), shown = 255 OR shown > 2 AND reinterpretAsInt64(h.price) < width, -1, intDiv(reinterpretAsInt64(h.price), width) * width) AS low,
    if(shown = 1 OR low < 0, low, low + width) AS high
  FROM price_histogram AS h FINAL
  WHERE hour >= toDateTime({from:UInt32}, 'UTC') AND hour < toDateTime({to:UInt32}, 'UTC')
) AS h
GROUP BY ALL
ORDER BY time, gpu_name, num_gpus, verified, hosting_type, gpu_memory, rented, price
