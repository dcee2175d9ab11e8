-- The column of 021_machine_day_since_ask.sql over the servers of a cluster.
/*!
ALTER TABLE $database.machine_days ON CLUSTER $cluster
  ADD COLUMN IF NOT EXISTS since_ask
    Tuple(slots UInt32, gpus UInt64, rented_gpus UInt64, rented_value Decimal(38, 9), first_gpus UInt64, first_rented UInt64)
    AFTER rented_value
*/
