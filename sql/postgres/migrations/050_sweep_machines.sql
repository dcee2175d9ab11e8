-- Sweeps ask for ranges of machine ids, so that each answer has all offers of a machine. A picture of the old questions begins anew.
DROP TABLE sweep_offers;
DELETE FROM sweep;

CREATE TABLE sweep_machines (
  key    text PRIMARY KEY,  -- machine id, JSON  
  offers text NOT NULL,     -- the offers of one answer, JSON of a stranger
  seen   bigint NOT NULL,   -- the slot of the newest sight
  missed smallint NOT NULL  -- whole answers since then that should have had it
);
