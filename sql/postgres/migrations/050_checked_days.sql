-- The progress of checks that have a time limit: one row for each day of the series, by its start in unix seconds.
CREATE TABLE checked_days (
  day         bigint PRIMARY KEY,
  revision    bigint NOT NULL,      -- the newest of the day's slots and of its publication when the check began
  done        integer NOT NULL,     -- finished parts
  parts       integer NOT NULL,
  problems    integer NOT NULL,
  not_checked integer NOT NULL,     -- ranges that could not be checked
  checked_at  timestamptz NOT NULL
);
