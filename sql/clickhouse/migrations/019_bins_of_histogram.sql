-- In which bin hosts see the price of a rented GPU (views/price_bins.sql). Rows written before get theirs in the background (ingest/fill-bins.ts).
ALTER TABLE /*!$database.*/price_histogram/*!_local ON CLUSTER $cluster*/
  ADD COLUMN IF NOT EXISTS bin UInt8
    COMMENT 'Price bin that hosts see of rented GPUs: n is 0.01 × 2^(n - 2) wide, 1 exact, 255 no price; 0: available, or not computed yet' CODEC(ZSTD(1)) AFTER gpus
