-- flow_rows over the servers of a cluster: each shard computes the rows of its GPU names. Parameters: as for flow_rows.sql.
/*!
CREATE OR REPLACE VIEW $database.flow_rows ON CLUSTER $cluster AS
SELECT * FROM cluster($cluster, view(
  SELECT * FROM $database.flow_rows_local(from = {from:UInt32}, to = {to:UInt32}, longest = {longest:UInt32})
))
*/
