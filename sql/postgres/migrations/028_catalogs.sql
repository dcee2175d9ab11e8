-- How the newest reading of each provider of a catalog of list prices went. The prices are in ClickHouse, in `list_prices`.
CREATE TABLE catalogs (
  catalog    text NOT NULL,               -- 'gpuhunt', 'skypilot'
  provider   text NOT NULL,
  place      text NOT NULL,               -- where it is read from
  ask_after  timestamptz NOT NULL,        -- it is left alone until then
  read_at    timestamptz,                 -- the time that its prices are of
  offers     integer NOT NULL DEFAULT 0,  -- with a GPU, in the newest good reading
  left_out   jsonb NOT NULL DEFAULT '{}', -- rows that are no offer of whole GPUs: why, and how many
  failures   integer NOT NULL DEFAULT 0,  -- readings since the last good one that failed
  problem    text,                        -- why; NULL: the newest one was good
  validators jsonb,                       -- of the last answer, for the next request
  PRIMARY KEY (catalog, provider)
);
