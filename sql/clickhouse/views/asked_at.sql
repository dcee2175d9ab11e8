-- A view of earlier releases, which depth/book read.
DROP VIEW IF EXISTS /*!$database.*/asked_at/*! ON CLUSTER $cluster*/
