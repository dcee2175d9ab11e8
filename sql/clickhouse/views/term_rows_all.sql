-- term_rows over the servers of a cluster: each shard computes the rows of its GPU names. Parameters: as for term_rows.sql.
/*!
CREATE OR REPLACE VIEW $database.term_rows ON CLUSTER $cluster AS
SELECT * FROM cluster($cluster, view(
  SELECT * FROM $database.term_rows_local(from = {from:UInt32}, to = {to:UInt32}, since = {since:UInt32})
))
*/
