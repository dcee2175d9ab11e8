-- How long ClickHouse keeps observations. One row.
CREATE TABLE retention (
  one boolean PRIMARY KEY DEFAULT true CHECK (one),
  days integer,                          -- null: for ever
  gone_before bigint NOT NULL DEFAULT 0  -- unix seconds: older ones may be gone by an earlier retention
);
INSERT INTO retention DEFAULT VALUES;
