-- Whose machine it is, where it stands, and how it is rented. Rows written before have the values for `not known`.
-- Delta: without it the accounts alone would take four times the bytes of everything else.
ALTER TABLE /*!$database.*/observations/*!_local ON CLUSTER $cluster*/
  ADD COLUMN IF NOT EXISTS host_id Nullable(UInt64)
    COMMENT 'Account of the machine; NULL: not known' CODEC(Delta(8), ZSTD(1)) AFTER source,
  ADD COLUMN IF NOT EXISTS country LowCardinality(String)
    COMMENT 'Country, as ISO 3166 alpha-2; empty: not known' CODEC(ZSTD(1)) AFTER host_id,
  ADD COLUMN IF NOT EXISTS gpu_ram Nullable(UInt32)
    COMMENT 'MB per GPU; NULL: not known' CODEC(ZSTD(1)) AFTER country,
  ADD COLUMN IF NOT EXISTS rental_type Enum8('unknown' = 0, 'on_demand' = 1, 'reserved' = 2, 'interruptible' = 3)
    COMMENT 'How it is rented, or offered' CODEC(ZSTD(1)) AFTER gpu_ram,
  ADD COLUMN IF NOT EXISTS min_gpus Nullable(UInt16)
    COMMENT 'Smallest part of the rig that can be rented, in GPUs; NULL: not known' CODEC(ZSTD(1)) AFTER rental_type
