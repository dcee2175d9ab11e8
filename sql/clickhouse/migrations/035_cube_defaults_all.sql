-- The defaults of the cube over the servers of a cluster. A cluster of the last release lacks them, and a new one has them.
/*!
ALTER TABLE $database.cube ON CLUSTER $cluster
  MODIFY COLUMN total UInt32 DEFAULT rented_verified + avail_verified + rented_unverified + avail_unverified,
  MODIFY COLUMN available UInt32 DEFAULT avail_verified + avail_unverified,
  MODIFY COLUMN total_gpus UInt32
    DEFAULT rented_verified_gpus + avail_verified_gpus + rented_unverified_gpus + avail_unverified_gpus
*/
