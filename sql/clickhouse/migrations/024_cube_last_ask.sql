-- The median that the performance of a bucket's last slot is divided by, so that an answer about any range needs no other statement. Rows written
-- before get it in the background (ingest/fill-past.ts), where there still are observations. -1 is no price, so it tells such a row from one
-- without available GPUs.
ALTER TABLE /*!$database.*/cube/*!_local ON CLUSTER $cluster*/
  ADD COLUMN IF NOT EXISTS last_ask Nullable(Decimal(18, 9)) DEFAULT -1
    COMMENT 'USD per GPU-hour: median of the available GPUs at the last slot of the bucket; -1: not computed yet' CODEC(ZSTD(1)) AFTER dlperf
