-- What a machine was since its last price of a day: with it, what it earned since its price changed is read from whole days. Rows written before do
-- not know it. A worker writes them again, as with 020_machine_day_rented.sql.
ALTER TABLE /*!$database.*/machine_days/*!_local ON CLUSTER $cluster*/
  ADD COLUMN IF NOT EXISTS since_ask
    Tuple(slots UInt32, gpus UInt64, rented_gpus UInt64, rented_value Decimal(38, 9), first_gpus UInt64, first_rented UInt64)
    COMMENT 'Since the slot of the last of `asks`: its slots, GPUs, rented GPUs and the price of each, and GPUs and rented ones in that slot'
    CODEC(ZSTD(1)) AFTER rented_value
