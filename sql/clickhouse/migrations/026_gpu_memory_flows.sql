-- As 026_gpu_memory_price_histogram.sql. The price position of a machine is among the GPUs of its name and size.
ALTER TABLE /*!$database.*/flows/*!_local ON CLUSTER $cluster*/
  ADD COLUMN IF NOT EXISTS gpu_memory UInt16
    COMMENT 'GB per GPU, as sold; 0: not known' CODEC(ZSTD(1)) AFTER hosting_type,
  MODIFY ORDER BY (gpu_name, hour, num_gpus, verified, hosting_type, position, gpu_memory)
