-- Computes the cube's rows of the buckets of one step in [from, to). The view has the cube's columns, in their order.
-- Parameters: step, from, to, hourly, revision.
INSERT INTO cube
SELECT *, {revision:UInt64}
FROM bucket_rows(step = {step:UInt32}, from = {from:UInt32}, to = {to:UInt32}, hourly = {hourly:Bool})
