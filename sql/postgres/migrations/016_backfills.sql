-- What an upgrade adds to the series is computed in the background, newest first. Before `todo_before` (unix seconds) it is not there yet.
CREATE TABLE backfills (
  what        text PRIMARY KEY,
  todo_before bigint NOT NULL
);
-- The sums of the cube and the price steps of all that there is.
INSERT INTO backfills (what, todo_before) VALUES ('sums', 4102444800);
