-- Computes the cube's rows of some steps of whole hours from the price histogram, the price steps and the rows of single slots, in the buckets
-- that [from, to) touches. The view has the cube's columns, in their order. Parameters: steps, from, to, revision.
INSERT INTO cube
SELECT *, {revision:UInt64}
FROM bucket_rows(steps = {steps:Array(UInt32)}, from = {from:UInt32}, to = {to:UInt32})
