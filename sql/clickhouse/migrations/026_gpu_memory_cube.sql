-- The filter on a size of memory. A row for each size would double the cube, and nearly every GPU name has one size. So a name has rows for its sizes in
-- buckets with several of them only. In others `only_memory` has the one size, and the row without this filter is the answer for it, too.
-- Rows written before have both in the background (ingest/fill-past.ts), where there still are observations.
ALTER TABLE /*!$database.*/cube/*!_local ON CLUSTER $cluster*/
  ADD COLUMN IF NOT EXISTS gpu_memory UInt16
    COMMENT 'Filter: GB per GPU, as sold; 0: not filtered' CODEC(ZSTD(1)) AFTER num_gpus,
  ADD COLUMN IF NOT EXISTS only_memory UInt16
    COMMENT 'The size of memory of all GPUs of the name in this bucket; 0: there are several, it is not known, or gpu_memory has it' CODEC(ZSTD(1)) AFTER bucket,
  MODIFY ORDER BY (step, verified, hosting_type, num_gpus, gpu_name, bucket, gpu_memory)
