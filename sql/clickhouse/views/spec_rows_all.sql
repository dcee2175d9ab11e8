-- spec_rows over the servers of a cluster: each shard computes the rows of its GPU names. Parameters: as for spec_rows.sql.
/*!
CREATE OR REPLACE VIEW $database.spec_rows ON CLUSTER $cluster AS
SELECT * FROM cluster($cluster, view(
  SELECT * FROM $database.spec_rows_local(from = {from:UInt32}, to = {to:UInt32}, since = {since:UInt32})
))
*/
