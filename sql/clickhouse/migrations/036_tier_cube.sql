-- Tiers of hosts that are not verified are further values of the filter `verified`. They have rows of all hosting types and rig sizes only.
ALTER TABLE /*!$database.*/cube/*!_local ON CLUSTER $cluster*/
  MODIFY COLUMN verified Enum8('all' = 0, 'yes' = 1, 'no' = 2, 'unverified' = 3, 'deverified' = 4, 'unknown' = 5)
    COMMENT 'Filter; all: not filtered; no: every tier but verified; the others: the tier of the host' CODEC(ZSTD(1))
