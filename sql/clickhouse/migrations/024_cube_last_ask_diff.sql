-- The median that the performance of a bucket's last slot is divided by, so that an answer about any range needs no other statement. It is mostly that
-- of the whole bucket, so the difference takes a tenth of the disk. Rows written before get it in the background (ingest/fill-past.ts), where
-- there still are observations.
ALTER TABLE /*!$database.*/cube/*!_local ON CLUSTER $cluster*/
  ADD COLUMN IF NOT EXISTS last_ask_diff Nullable(Decimal(18, 9))
    COMMENT 'USD per GPU-hour: the median of the GPUs available at the last slot, less avail_median; 0 without any; NULL: not computed yet' CODEC(ZSTD(1)) AFTER dlperf
