-- What a machine earned on a day, and its asks: the past of a host's own machines is read from whole days. Rows written before do not know them.
-- A worker writes them again, since the fingerprint of their day is another one now.
ALTER TABLE /*!$database.*/machine_days/*!_local ON CLUSTER $cluster*/
  ADD COLUMN IF NOT EXISTS first_slot DateTime('UTC')
    COMMENT 'The first slot of the day in which it was on the market' CODEC(ZSTD(1)) AFTER slots,
  ADD COLUMN IF NOT EXISTS last_slot DateTime('UTC')
    COMMENT 'The last one' CODEC(ZSTD(1)) AFTER first_slot,
  ADD COLUMN IF NOT EXISTS rented_slot DateTime('UTC')
    COMMENT 'The last one in which a GPU of it was rented; 0: none' CODEC(ZSTD(1)) AFTER last_slot,
  ADD COLUMN IF NOT EXISTS asks Array(Tuple(slot DateTime('UTC'), price Decimal(18, 9)))
    COMMENT 'The first price of the day at which it was available, and each other one, with its slot' CODEC(ZSTD(1)) AFTER avail_value,
  ADD COLUMN IF NOT EXISTS rented_gpus UInt64
    COMMENT 'Its rented GPUs, summed over the slots' CODEC(T64, ZSTD(1)) AFTER asks,
  ADD COLUMN IF NOT EXISTS rented_value Decimal(38, 9)
    COMMENT 'Price of each rented GPU, summed over the slots' CODEC(ZSTD(1)) AFTER rented_gpus
