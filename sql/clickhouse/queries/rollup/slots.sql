-- Computes the cube's rows of some steps from the observations, in the buckets that [from, to) touches. The view has the cube's columns, in
-- their order. Parameters: steps, from, to, revision.
INSERT INTO cube
SELECT *, {revision:UInt64}
FROM slot_rows(steps = {steps:Array(UInt32)}, from = {from:UInt32}, to = {to:UInt32})
