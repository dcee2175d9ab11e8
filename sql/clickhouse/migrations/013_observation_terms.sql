-- The terms of a machine's listing at each slot, as one text: they seldom change, so a day of a machine costs hardly more than one of them, and
-- the dictionary of the column holds each text once. Rows written before do not know them. The table `terms` has them in columns.
ALTER TABLE /*!$database.*/observations/*!_local ON CLUSTER $cluster*/
  ADD COLUMN IF NOT EXISTS terms LowCardinality(String)
    COMMENT 'Terms of the listing as JSON, in the order of the table terms; empty: not known' CODEC(ZSTD(1)) AFTER min_gpus
