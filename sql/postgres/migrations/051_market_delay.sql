-- The seconds by which readers see the newest slots of the site's own market late; 0: at once. One row.
CREATE TABLE market_delay (
  one     boolean PRIMARY KEY DEFAULT true CHECK (one),
  seconds integer NOT NULL CHECK (seconds >= 0)
);
INSERT INTO market_delay (seconds) VALUES (0);
