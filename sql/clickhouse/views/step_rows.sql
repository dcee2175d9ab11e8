-- The rows of price_steps of one step, made of the price histogram of the hours in [from, to). The bin of a price at which GPUs were rented is the widest
-- of an hour that holds it. So it holds enough in every slot of the bucket, too (histogram_rows.sql).
-- Parameters: step (6 hours or a day); from, to (on the step) UInt32 (seconds).
CREATE OR REPLACE VIEW /*!$database.*/step_rows/*! ON CLUSTER $cluster*/ AS
SELECT
  {step:UInt32} AS step, gpu_name, bucket, {{filter_columns}}, rented, price, any(sums.gpus) AS gpus,
  toUInt8(rented ? max(if(is_there, bin, 1)) : 0) AS bin
FROM (
  SELECT
    *, arrayJoin(rented ? arrayConcat(range(toUInt8(1), toUInt8(14)), [toUInt8(255)]) : [toUInt8(1)]) AS bin,
    {{bin_cell}} AS cell
  FROM (
    SELECT
      toDateTime(intDiv(toUnixTimestamp(hour), {step:UInt32}) * {step:UInt32}, 'UTC') AS bucket,
      gpu_name, {{filter_columns}}, rented, price, sum(h.gpus) AS gpus
    FROM /*!$database.*/price_histogram AS h FINAL
    WHERE hour >= toDateTime({from:UInt32}, 'UTC') AND hour < toDateTime({to:UInt32}, 'UTC')
    GROUP BY bucket, gpu_name, {{filter_columns}}, rented, price
  )
) AS sums
LEFT JOIN (
  SELECT DISTINCT
    toDateTime(intDiv(toUnixTimestamp(hour), {step:UInt32}) * {step:UInt32}, 'UTC') AS bucket, gpu_name, gpu_memory, verified,
    if(h.bin = 0, toUInt8(255), h.bin) AS bin,
    {{bin_cell}} AS cell,
    true AS is_there
  FROM /*!$database.*/price_histogram AS h FINAL
  WHERE rented AND hour >= toDateTime({from:UInt32}, 'UTC') AND hour < toDateTime({to:UInt32}, 'UTC')
) AS bins USING (bucket, gpu_name, gpu_memory, verified, bin, cell)
GROUP BY gpu_name, bucket, {{filter_columns}}, rented, price
