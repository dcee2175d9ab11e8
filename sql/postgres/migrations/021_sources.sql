-- The sources of this site by their names. The first one's market is in this database. Each of the others has databases of its own, whose
-- names are those of the first one with its name behind them.
CREATE TABLE sources (
  name         text PRIMARY KEY CHECK (name ~ '^[a-z][a-z0-9_]{0,31}$'),
  is_first     boolean NOT NULL,
  is_collected boolean NOT NULL DEFAULT true  -- false: it was, and its history stays
);
CREATE UNIQUE INDEX sources_first ON sources (is_first) WHERE is_first;

-- A source of before had no name. Its kind is one.
INSERT INTO sources (name, is_first) SELECT split_part(source, '=', 1), true FROM collector;
