-- The column of 026_gpu_memory_observations.sql over the servers of a cluster.
/*!
ALTER TABLE $database.observations ON CLUSTER $cluster
  ADD COLUMN IF NOT EXISTS gpu_memory UInt16 DEFAULT toUInt16(multiIf(
      toUInt64(ifNull(gpu_ram, 0)) AS mb = 0,
      0,
      (arrayFirst(
        size -> 103424 * size >= 100 * mb,
        [2, 3, 4, 5, 6, 8, 10, 11, 12, 16, 20, 24, 32, 40, 48, 64, 72, 80, 94, 96, 128, 141, 144, 192, 256, 288]
      ) AS sold) > 0 AND 9216 * sold < 10 * mb,
      sold,
      least(65535, greatest(1, intDiv(mb + 512, 1024)))
    ))
    AFTER gpu_ram
*/
