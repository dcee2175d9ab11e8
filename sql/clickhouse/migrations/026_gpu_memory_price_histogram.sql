-- GPUs of one name with another size of memory are another product, so the size is part of the key. Rows written before have it in the background
-- (ingest/fill-past.ts), where there still are observations.
ALTER TABLE /*!$database.*/price_histogram/*!_local ON CLUSTER $cluster*/
  ADD COLUMN IF NOT EXISTS gpu_memory UInt16
    COMMENT 'GB per GPU, as sold; 0: not known' CODEC(ZSTD(1)) AFTER hosting_type,
  MODIFY ORDER BY (hour, gpu_name, num_gpus, verified, hosting_type, rented, price, gpu_memory)
