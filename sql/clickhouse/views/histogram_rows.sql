-- The rows of price_histogram of the hours in [from, to), from the observations.
-- Parameters: from, to UInt32 (unix seconds, whole hours).
CREATE OR REPLACE VIEW /*!$database.*/histogram_rows/*! ON CLUSTER $cluster*/ AS
SELECT toStartOfHour(slot) AS hour, gpu_name, {{machine_columns}}, rented, price, sum(o.gpus) AS gpus
FROM /*!$database.*/observations AS o
WHERE slot >= toDateTime({from:UInt32}, 'UTC') AND slot < toDateTime({to:UInt32}, 'UTC')
GROUP BY hour, gpu_name, {{machine_columns}}, rented, price
