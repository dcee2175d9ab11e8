-- The backups of the series that `rackrate backup` wrote. ClickHouse forgets its own list when it restarts.
CREATE TABLE backups (
  name     text PRIMARY KEY,
  bytes    bigint NOT NULL,
  taken_at timestamptz NOT NULL DEFAULT rackrate_now()
);
