-- Whether the prices of a bucket's last slot come from enough machines and hosts. Where they do, those of the whole bucket do, so most thin marks are read
-- from here. Rows written before get theirs in the background (ingest/fill-past.ts).
ALTER TABLE /*!$database.*/cube/*!_local ON CLUSTER $cluster*/
  ADD COLUMN IF NOT EXISTS rented_thin Enum8('unknown' = 0, 'yes' = 1, 'no' = 2)
    COMMENT 'yes: fewer than 5 machines or 3 hosts had rented GPUs at the last slot; unknown: none, or not computed yet' CODEC(ZSTD(1)) AFTER dlperf,
  ADD COLUMN IF NOT EXISTS avail_thin Enum8('unknown' = 0, 'yes' = 1, 'no' = 2)
    COMMENT 'The same of available GPUs' CODEC(ZSTD(1)) AFTER rented_thin
