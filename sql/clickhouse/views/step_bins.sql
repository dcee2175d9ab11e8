-- The bins of price steps, made of those of the hours in [from, to): of each rented price the widest bin that holds it in some hour of the bucket.
-- So a bin holds enough in every slot of the bucket, too (price_bins.sql). Parameters: from, to (on the step), step.
CREATE OR REPLACE VIEW /*!$database.*/step_bins/*! ON CLUSTER $cluster*/ AS
SELECT bucket, gpu_name, verified, price, toUInt8(max(if(is_there, bin, 1))) AS bin
FROM (
  SELECT
    bucket, gpu_name, verified, price,
    arrayJoin(arrayConcat(range(toUInt8(1), toUInt8(14)), [toUInt8(255)])) AS bin,
    if(bin = 1, reinterpretAsInt64(price), intDiv(reinterpretAsInt64(price), bitShiftLeft(toInt64(10000000), greatest(2, least(13, bin)) - 2))) AS cell
  FROM (
    SELECT DISTINCT intDiv(toUnixTimestamp(hour), {step:UInt32}) * {step:UInt32} AS bucket, gpu_name, verified, price
    FROM /*!$database.*/price_histogram FINAL
    WHERE rented AND hour >= toDateTime({from:UInt32}, 'UTC') AND hour < toDateTime({to:UInt32}, 'UTC')
  )
) AS prices
LEFT JOIN (
  SELECT DISTINCT
    intDiv(toUnixTimestamp(hour), {step:UInt32}) * {step:UInt32} AS bucket, gpu_name, verified,
    if(h.bin = 0, toUInt8(255), h.bin) AS bin,
    if(bin = 1, reinterpretAsInt64(price), intDiv(reinterpretAsInt64(price), bitShiftLeft(toInt64(10000000), greatest(2, least(13, bin)) - 2))) AS cell,
    true AS is_there
  FROM /*!$database.*/price_histogram AS h FINAL
  WHERE rented AND hour >= toDateTime({from:UInt32}, 'UTC') AND hour < toDateTime({to:UInt32}, 'UTC')
) AS bins USING (bucket, gpu_name, verified, bin, cell)
GROUP BY bucket, gpu_name, verified, price
