-- The lowest list price of each GPU type at the end of a day, by catalog, provider and kind: an offer counts from its row until its next one.
-- Counts are signed: readers subtract them. Parameters: from, to (the day), read Array(String): the catalogs and providers that were read by then, as
-- in "gpuhunt aws". Others are of the past.
SELECT
  toDateTime64(toDateTime({from:UInt32}, 'UTC'), 3, 'UTC') AS time,
  toString(offer.gpu_name) AS gpu_name, toString(offer.catalog) AS catalog, toString(offer.provider) AS provider, spot,
  toFloat64(asked) AS price, toString(offer.region) AS region, toString(offer.instance_name) AS instance_name, toInt64(offer.gpus) AS gpus
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
