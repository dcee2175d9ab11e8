-- The GPUs of one slot that pass the filter, with the prices that hosts see: `low` and `high` as in asked_prices.sql. `free`: available GPUs of the machine.
-- Parameters: names Array(String), verified, hosting_type String, num_gpus UInt16, own UInt8, slot UInt32.
CREATE OR REPLACE VIEW /*!$database.*/asked_at/*! ON CLUSTER $cluster*/ AS
SELECT
  gpu_name, rented, price, gpus, free,
  multiIf(NOT rented OR {own:UInt8} = 0 OR bin = 1, 1, {{filter_unsplit}}, bin, 255) AS shown,
  bitShiftLeft(toInt64(10000000), greatest(2, least(13, shown)) - 2) AS width,
  multiIf(shown = 1, reinterpretAsInt64(price), shown = 255 OR shown > 2 AND reinterpretAsInt64(price) < width, -1, intDiv(reinterpretAsInt64(price), width) * width) AS low,
  if(shown = 1 OR low < 0, low, low + width) AS high
FROM (
  SELECT
    gpu_name, verified, price, rented, gpus,
    sumIf(gpus, NOT rented) OVER (PARTITION BY gpu_name, machine_id) AS free
  FROM /*!$database.*/observations
  WHERE gpu_name IN {names:Array(String)} AND slot = toDateTime({slot:UInt32}, 'UTC')
    AND {{filter_machines}}
) AS seen
LEFT JOIN (
  SELECT gpu_name, verified, true AS rented, price, bin
  FROM /*!$database.*/price_bins(names = {names:Array(String)}, from = {slot:UInt32}, to = {slot:UInt32} + 1, step = 1)
) AS bins USING (gpu_name, verified, rented, price)
