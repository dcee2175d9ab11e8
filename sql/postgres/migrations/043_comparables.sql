-- What the machines of all hosts are compared with, made by a worker when a slot lands, so that no request has to wait for it. All of it can be
-- computed again from ClickHouse at any time, so nothing is written to the log of the database.
CREATE UNLOGGED TABLE comparables (
  kind     text NOT NULL,  -- src/metrics/machines/comparables.ts names them
  gpu_name text NOT NULL,
  edition  text NOT NULL,  -- of which slots
  rows     json NOT NULL,  -- as the statement of the kind answers them
  PRIMARY KEY (kind, gpu_name)
);
