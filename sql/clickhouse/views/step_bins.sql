-- A view of earlier releases, which the statements of the price steps read.
DROP VIEW IF EXISTS /*!$database.*/step_bins/*! ON CLUSTER $cluster*/
