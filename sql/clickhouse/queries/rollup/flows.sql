-- Computes the flows of the hours in [from, to). The view has the columns of flows, in their order. Parameters: from, to, longest, revision.
INSERT INTO flows
SELECT *, {revision:UInt64}
FROM flow_rows(from = {from:UInt32}, to = {to:UInt32}, longest = {longest:UInt32})
