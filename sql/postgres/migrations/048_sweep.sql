-- Markets whose search answers samples: what was seen of them, and by which questions. At most one row of `sweep`, and none where the search answers with
-- all offers.
CREATE TABLE sweep (
  one      boolean PRIMARY KEY DEFAULT true CHECK (one),
  cells    text NOT NULL,    -- the questions that have the market between them, JSON (collect/cells.ts)
  samples  text NOT NULL,    -- random samples of the last slots, JSON
  names    text NOT NULL,    -- the marketplace's list of GPU names, JSON
  names_at bigint NOT NULL   -- the slot at which the list was read
);

CREATE TABLE sweep_offers (
  id     text PRIMARY KEY,
  fields text NOT NULL,      -- the offer as it was seen last, JSON of a stranger
  since  bigint NOT NULL,    -- the slot of its first sight
  seen   bigint NOT NULL,    -- the slot of its newest sight
  missed smallint NOT NULL   -- whole answers since then that should have had it
);

-- The share of a source's market that a slot has. A slot of a source that does not know it has no row.
CREATE TABLE coverage (
  slot     bigint PRIMARY KEY,
  method   text NOT NULL CHECK (method IN ('one answer', 'repeats')),
  share    real NOT NULL,
  low      real NOT NULL,    -- 95 % interval
  high     real NOT NULL,
  machines integer NOT NULL,
  carried  integer NOT NULL, -- machines that the slot has not seen, as they were seen last
  age      integer,          -- seconds since the oldest part was seen; NULL: parts were never seen
  calls    integer NOT NULL, -- searches
  problem  text,             -- why the sweep ended early
  states   jsonb NOT NULL,   -- offers by `rentable` and `rented`
  names    jsonb NOT NULL    -- the same figures by GPU name
);
