-- slot_rows over the servers of a cluster: each shard computes the rows of its GPU names. Parameters: as for slot_rows.sql.
/*!
CREATE OR REPLACE VIEW $database.slot_rows ON CLUSTER $cluster AS
SELECT * FROM cluster($cluster, view(
  SELECT * FROM $database.slot_rows_local(steps = {steps:Array(UInt32)}, from = {from:UInt32}, to = {to:UInt32})
))
*/
