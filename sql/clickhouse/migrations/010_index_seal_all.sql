-- The seal of 010_index_seal.sql over the servers of a cluster.
/*!
ALTER TABLE $database.price_index ON CLUSTER $cluster
  ADD COLUMN IF NOT EXISTS seal UInt64
    DEFAULT cityHash64(toString(tuple(day, gpu_name, edition, reason, machines, matched_share, ln_link, machines_28, matched_share_28, ln_link_28, hash, published_at, revision))),
  ADD COLUMN IF NOT EXISTS is_sealed Bool
    ALIAS seal = cityHash64(toString(tuple(day, gpu_name, edition, reason, machines, matched_share, ln_link, machines_28, matched_share_28, ln_link_28, hash, published_at, revision)))
*/
