-- What a machine was before its last price of a day: with it, what it earned since its price changed is read from whole days. It is small, since most
-- machines have one price a day. Rows written before do not know it. A worker writes them again, as with 020_machine_day_rented.sql.
ALTER TABLE /*!$database.*/machine_days/*!_local ON CLUSTER $cluster*/
  ADD COLUMN IF NOT EXISTS before_ask Tuple(slots UInt32, gpus UInt64, rented_gpus UInt64, rented_value Decimal(38, 9))
    COMMENT 'Before the slot of the last of `asks`: its slots, GPUs, rented GPUs and the price of each; 0 without asks' CODEC(ZSTD(1)) AFTER rented_value,
  ADD COLUMN IF NOT EXISTS ask_rented Float64
    COMMENT 'The share of its GPUs that was rented in the slot of the last of `asks`' CODEC(ZSTD(1)) AFTER before_ask
