-- The columns of 021_machine_day_before_ask.sql over the servers of a cluster.
/*!
ALTER TABLE $database.machine_days ON CLUSTER $cluster
  ADD COLUMN IF NOT EXISTS before_ask Tuple(slots UInt32, gpus UInt64, rented_gpus UInt64, rented_value Decimal(38, 9)) AFTER rented_value,
  ADD COLUMN IF NOT EXISTS ask_rented Float64 AFTER before_ask
*/
