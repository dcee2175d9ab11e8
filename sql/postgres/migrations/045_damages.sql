-- Data of ClickHouse that a worker found broken or missing (ingest/mend.ts). A row without `mended_at` is named by /readyz.
CREATE TABLE damages (
  place     text PRIMARY KEY,  -- a part by server and table, or a table and the first slot that it lacks
  kind      text NOT NULL CHECK (kind IN ('part', 'lost')),
  from_slot bigint NOT NULL,
  to_slot   bigint NOT NULL,
  problem   text NOT NULL,     -- a sentence for the operator
  found_at  timestamptz NOT NULL DEFAULT rackrate_now(),
  mended_at timestamptz        -- when everything was computed again; NULL: that is to come, or the rows are lost
);
