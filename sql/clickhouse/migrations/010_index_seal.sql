-- A seal of each row of the index, over all its columns: made when the row is written and never again, so a row that is changed later does not
-- fit it. ClickHouse computes it, since no INSERT names it.
ALTER TABLE /*!$database.*/price_index/*!_local ON CLUSTER $cluster*/
  ADD COLUMN IF NOT EXISTS seal UInt64
    DEFAULT cityHash64(toString(tuple(day, gpu_name, edition, reason, machines, matched_share, ln_link, machines_28, matched_share_28, ln_link_28, hash, published_at, revision)))
    COMMENT 'Hash of all other columns, made with the row' CODEC(ZSTD(1)),
  ADD COLUMN IF NOT EXISTS is_sealed Bool
    ALIAS seal = cityHash64(toString(tuple(day, gpu_name, edition, reason, machines, matched_share, ln_link, machines_28, matched_share_28, ln_link_28, hash, published_at, revision)))
    COMMENT 'Whether the row is as it was published'
