-- Computes the price histogram of the hours in [from, to). Parameters: from, to, revision.
INSERT INTO price_histogram (hour, gpu_name, num_gpus, verified, hosting_type, rented, price, gpus, revision)
SELECT toStartOfHour(slot), gpu_name, num_gpus, verified, hosting_type, rented, price, sum(gpus), {revision:UInt64}
FROM observations
WHERE slot >= toDateTime({from:UInt32}, 'UTC') AND slot < toDateTime({to:UInt32}, 'UTC')
GROUP BY ALL
