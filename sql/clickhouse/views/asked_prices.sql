-- A view of earlier releases, which is a part of statements now (fragments/asked_prices.sql).
DROP VIEW IF EXISTS /*!$database.*/asked_prices/*! ON CLUSTER $cluster*/
