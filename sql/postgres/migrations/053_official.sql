-- The server whose aggregates of a source's market are read. In the main database.
CREATE TABLE official_servers (
  id         integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  source     text NOT NULL UNIQUE REFERENCES sources ON UPDATE CASCADE ON DELETE CASCADE,
  url        text NOT NULL,
  key_sealed bytea NOT NULL,
  first_time bigint NOT NULL,                               -- unix seconds: nothing before is read
  read_at    timestamptz,                                   -- the newest reading of all due parts; NULL: none
  ask_after  timestamptz NOT NULL DEFAULT rackrate_now(),   -- it is left alone until then
  failures   integer NOT NULL DEFAULT 0,                    -- readings since the last good one that failed
  problem    text                                           -- why the newest reading failed; NULL: it was good
);

-- The parts of a market's past that were read, each of ten days. In the database of the market, as its other tables.
CREATE TABLE official_parts (
  verified text NOT NULL CHECK (verified IN ('all', 'yes', 'no')),
  start    bigint NOT NULL,                                 -- unix seconds
  read_to  bigint NOT NULL,                                 -- unix seconds: the part is read up to here
  rows     integer NOT NULL,                                -- buckets of GPU names; 0: the server has nothing of this time
  left_out jsonb NOT NULL DEFAULT '{}',                     -- GPU names that were left out, with the reason
  PRIMARY KEY (verified, start)
);

-- GPUs of the market by GPU name, as an official server last reported them.
CREATE TABLE official_counts (
  gpu_name text PRIMARY KEY,
  at       bigint NOT NULL,                                 -- unix seconds: the bucket of the count
  gpus     integer NOT NULL
);

ALTER TABLE coverage ADD official jsonb;                    -- the slot beside the official counts; NULL: there are none of that time
