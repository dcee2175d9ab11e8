-- GPUs per price and bucket that pass the filter, in [from, to). From the price steps where they have this step, else from the hours.
-- Parameters: names Array(String), verified, hosting_type String, num_gpus UInt16, stored_step (3600, 21600 or 86400), from, to UInt32.
CREATE OR REPLACE VIEW /*!$database.*/asked_prices/*! ON CLUSTER $cluster*/ AS
SELECT gpu_name, bucket, rented, price, gpus
FROM (
  SELECT gpu_name, bucket, num_gpus, verified, hosting_type, rented, price, gpus
  FROM /*!$database.*/price_steps FINAL
  WHERE {stored_step:UInt32} > 3600 AND step = {stored_step:UInt32}
    AND bucket >= toDateTime({from:UInt32}, 'UTC') AND bucket < toDateTime({to:UInt32}, 'UTC')
  UNION ALL
  SELECT gpu_name, hour, num_gpus, verified, hosting_type, rented, price, gpus
  FROM /*!$database.*/price_histogram FINAL
  WHERE {stored_step:UInt32} = 3600
    AND hour >= toDateTime({from:UInt32}, 'UTC') AND hour < toDateTime({to:UInt32}, 'UTC')
)
WHERE gpu_name IN {names:Array(String)}
  AND ({verified:String} = 'all' OR verified = ({verified:String} = 'yes'))
  AND ({hosting_type:String} = 'all' OR toString(hosting_type) = {hosting_type:String})
  AND ({num_gpus:UInt16} = 0 OR num_gpus = {num_gpus:UInt16})
