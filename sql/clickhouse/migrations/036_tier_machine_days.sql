-- The tier of machines that are not verified. Days that were stored before have it when they are published again.
ALTER TABLE /*!$database.*/machine_days/*!_local ON CLUSTER $cluster*/
  MODIFY COLUMN verified Enum8('unknown' = 0, 'yes' = 1, 'no' = 2, 'unverified' = 3, 'deverified' = 4)
    COMMENT 'Whether it is verified, and its tier if it is not; no: of an unknown tier; unknown: not computed yet' CODEC(ZSTD(1))
