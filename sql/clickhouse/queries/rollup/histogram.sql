-- Computes the price histogram of the hours in [from, to). Parameters: from, to, revision.
INSERT INTO price_histogram (hour, gpu_name, {{filter_columns}}, rented, price, gpus, bin, revision)
SELECT hour, gpu_name, {{filter_columns}}, rented, price, gpus, bin, {revision:UInt64}
FROM histogram_rows(from = {from:UInt32}, to = {to:UInt32})
