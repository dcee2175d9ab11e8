-- As 025_merge_cube.sql: months that are over become one part each.
ALTER TABLE /*!$database.*/price_steps/*!_local ON CLUSTER $cluster*/
  MODIFY SETTING min_age_to_force_merge_seconds = 3600, min_age_to_force_merge_on_partition_only = 1
