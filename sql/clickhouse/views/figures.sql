-- A view of earlier releases, which slot_rows.sql and bucket_rows.sql read.
DROP VIEW IF EXISTS /*!$database.*/figures/*!_local ON CLUSTER $cluster*/
