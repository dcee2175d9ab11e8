-- Computes the price steps of the buckets in [from, to) from the price histogram. Parameters: step, from, to (on the step), revision.
INSERT INTO price_steps (step, gpu_name, bucket, {{filter_columns}}, rented, price, gpus, bin, revision)
SELECT step, gpu_name, bucket, {{filter_columns}}, rented, price, gpus, bin, {revision:UInt64}
FROM step_rows(step = {step:UInt32}, from = {from:UInt32}, to = {to:UInt32})
