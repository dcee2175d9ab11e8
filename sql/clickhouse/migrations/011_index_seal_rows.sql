-- Seals the rows that were published before. Without it their seals would be computed whenever they are read, and fit any row.
ALTER TABLE /*!$database.*/price_index/*!_local ON CLUSTER $cluster*/ MATERIALIZE COLUMN seal
