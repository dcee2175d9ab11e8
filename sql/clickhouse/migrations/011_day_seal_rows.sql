-- Seals the rows that were entered before, as in 011_index_seal_rows.sql.
ALTER TABLE /*!$database.*/published_days/*!_local ON CLUSTER $cluster*/ MATERIALIZE COLUMN seal
