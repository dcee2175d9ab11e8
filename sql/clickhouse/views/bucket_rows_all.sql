-- bucket_rows over the servers of a cluster: each shard computes the rows of its GPU names. Parameters: as for bucket_rows.sql.
/*!
CREATE OR REPLACE VIEW $database.bucket_rows ON CLUSTER $cluster AS
SELECT * FROM cluster($cluster, view(
  SELECT * FROM $database.bucket_rows_local(steps = {steps:Array(UInt32)}, from = {from:UInt32}, to = {to:UInt32})
))
*/
