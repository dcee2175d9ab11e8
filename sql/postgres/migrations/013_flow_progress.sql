-- How the flows are made. One row.
CREATE TABLE flow_progress (
  one boolean PRIMARY KEY DEFAULT true CHECK (one),
  interval integer NOT NULL DEFAULT 300,  -- seconds between slots: pairs that are much further apart give nothing
  filled_from bigint NOT NULL DEFAULT 0,  -- unix seconds: hours from here on are made ...
  fill_until bigint NOT NULL DEFAULT 0    -- ... and shall be from here on: an upgrade finds a series that has none
);
INSERT INTO flow_progress DEFAULT VALUES;
