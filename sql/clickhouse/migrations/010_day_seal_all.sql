-- The seal of 010_day_seal.sql over the servers of a cluster.
/*!
ALTER TABLE $database.published_days ON CLUSTER $cluster
  ADD COLUMN IF NOT EXISTS seal UInt64
    DEFAULT cityHash64(toString(tuple(day, print, print_1, print_28, revision))),
  ADD COLUMN IF NOT EXISTS is_sealed Bool
    ALIAS seal = cityHash64(toString(tuple(day, print, print_1, print_28, revision)))
*/
