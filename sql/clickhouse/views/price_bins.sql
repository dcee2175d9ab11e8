-- A view of earlier releases, which the statements of the price histogram read.
DROP VIEW IF EXISTS /*!$database.*/price_bins/*! ON CLUSTER $cluster*/
