-- Where the market of this site comes from, when it is not the marketplace of this database, and how the newest request for it went. At most
-- one row.
CREATE TABLE collector (
  one        boolean PRIMARY KEY DEFAULT true CHECK (one),
  source     text NOT NULL,                   -- its name: 'exporter=https://example.com/machines'
  asked_slot bigint,                          -- the slot of the newest request
  asked_at   timestamptz,
  answered   boolean NOT NULL DEFAULT true,   -- false: the request is under way, or its process ended
  ask_after  bigint NOT NULL DEFAULT 0,       -- unix seconds: the source is left alone until then
  failures   integer NOT NULL DEFAULT 0,      -- requests since the last good one that gave no market
  problem    text,                            -- why; NULL: the newest one gave a market
  good_slot  bigint,                          -- the newest slot that was taken
  machines   integer,                         -- in that slot
  validators jsonb                            -- of its answer, for the next request
);
