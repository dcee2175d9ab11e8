-- The rows of price_steps of one step, made of the price histogram of the hours in [from, to).
-- Parameters: step (6 hours or a day); from, to (on the step) UInt32 (seconds).
CREATE OR REPLACE VIEW /*!$database.*/step_rows/*! ON CLUSTER $cluster*/ AS
SELECT
  {step:UInt32} AS step, gpu_name,
  toDateTime(intDiv(toUnixTimestamp(hour), {step:UInt32}) * {step:UInt32}, 'UTC') AS bucket,
  {{machine_columns}}, rented, price, sum(h.gpus) AS gpus
FROM /*!$database.*/price_histogram AS h FINAL
WHERE hour >= toDateTime({from:UInt32}, 'UTC') AND hour < toDateTime({to:UInt32}, 'UTC')
GROUP BY gpu_name, bucket, {{machine_columns}}, rented, price
