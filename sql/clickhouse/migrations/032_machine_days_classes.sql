-- The class of a machine on a day, and its first rental: for the returns of GPU types. Days that were stored before have none until they are published again.
ALTER TABLE /*!$database.*/machine_days/*!_local ON CLUSTER $cluster*/
  ADD COLUMN IF NOT EXISTS gpu_memory UInt16
    COMMENT 'GB per GPU, as sold, in its last slot of the day, as all below; 0: not known' CODEC(ZSTD(1)) AFTER ask_rented,
  ADD COLUMN IF NOT EXISTS verified Enum8('unknown' = 0, 'yes' = 1, 'no' = 2)
    COMMENT 'Whether it is verified; unknown: not computed yet' CODEC(ZSTD(1)) AFTER gpu_memory,
  ADD COLUMN IF NOT EXISTS hosting_type Enum8('unknown' = 0, 'community' = 1, 'secure_cloud' = 2)
    COMMENT 'Where it stands' CODEC(ZSTD(1)) AFTER verified,
  ADD COLUMN IF NOT EXISTS host_id Nullable(UInt64)
    COMMENT 'Its account; NULL: not known' CODEC(ZSTD(1)) AFTER hosting_type,
  ADD COLUMN IF NOT EXISTS first_rented DateTime('UTC')
    COMMENT 'The first slot of the day in which a GPU of it was rented; 0: none' CODEC(ZSTD(1)) AFTER host_id
