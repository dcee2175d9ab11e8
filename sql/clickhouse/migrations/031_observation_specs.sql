-- The specs of the machine. `specs` is one text like `terms`: it seldom changes, so the dictionary of the column holds each text once.
ALTER TABLE /*!$database.*/observations/*!_local ON CLUSTER $cluster*/
  ADD COLUMN IF NOT EXISTS specs LowCardinality(String)
    COMMENT 'Specs of the machine as JSON, in the order of the table specs; empty: not known' CODEC(ZSTD(1))
