-- The seconds between slots: pairs of slots that are much further apart have no flows. One row.
CREATE TABLE slot_interval (
  one     boolean PRIMARY KEY DEFAULT true CHECK (one),
  seconds integer NOT NULL
);
INSERT INTO slot_interval (seconds) SELECT interval FROM flow_progress;
