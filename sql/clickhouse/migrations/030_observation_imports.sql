-- The import that a row came with, so that it can be listed, replaced and removed. Rows of snapshots have 0, which takes no space to speak of, and so
-- have imported rows of earlier releases.
ALTER TABLE /*!$database.*/observations/*!_local ON CLUSTER $cluster*/
  ADD COLUMN IF NOT EXISTS import_id UInt64
    COMMENT 'The import that it came with; 0: of a snapshot, or imported by an earlier release' CODEC(ZSTD(1))
