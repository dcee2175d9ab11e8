-- Computes the cube's rows of the buckets of some steps that [from, to) touches. The view has the cube's columns, in their order.
-- Parameters: steps, from, to, hourly, revision.
INSERT INTO cube
SELECT *, {revision:UInt64}
FROM bucket_rows(steps = {steps:Array(UInt32)}, from = {from:UInt32}, to = {to:UInt32}, hourly = {hourly:Bool})
