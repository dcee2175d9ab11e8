-- Computes the cube's rows of the single slots in [from, to). The view has the cube's columns, in their order.
-- Parameters: from, to, revision.
INSERT INTO cube
SELECT *, {revision:UInt64}
FROM slot_rows(from = {from:UInt32}, to = {to:UInt32})
