-- A seal of each row, as in 010_index_seal.sql.
ALTER TABLE /*!$database.*/published_days/*!_local ON CLUSTER $cluster*/
  ADD COLUMN IF NOT EXISTS seal UInt64
    DEFAULT cityHash64(toString(tuple(day, print, print_1, print_28, revision)))
    COMMENT 'Hash of all other columns, made with the row' CODEC(ZSTD(1)),
  ADD COLUMN IF NOT EXISTS is_sealed Bool
    ALIAS seal = cityHash64(toString(tuple(day, print, print_1, print_28, revision)))
    COMMENT 'Whether the row is as it was entered'
