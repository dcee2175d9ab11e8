-- The columns of 020_machine_day_rented.sql over the servers of a cluster.
/*!
ALTER TABLE $database.machine_days ON CLUSTER $cluster
  ADD COLUMN IF NOT EXISTS first_slot DateTime('UTC') AFTER slots,
  ADD COLUMN IF NOT EXISTS last_slot DateTime('UTC') AFTER first_slot,
  ADD COLUMN IF NOT EXISTS rented_slot DateTime('UTC') AFTER last_slot,
  ADD COLUMN IF NOT EXISTS asks Array(Tuple(slot DateTime('UTC'), price Decimal(18, 9))) AFTER avail_value,
  ADD COLUMN IF NOT EXISTS rented_gpus UInt64 AFTER asks,
  ADD COLUMN IF NOT EXISTS rented_value Decimal(38, 9) AFTER rented_gpus
*/
