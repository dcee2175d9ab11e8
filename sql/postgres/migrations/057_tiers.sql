-- Tiers of hosts are part of the derived rows. What the past says of them is computed in the background.
INSERT INTO backfills (what, todo_before) VALUES ('tiers', 4102444800);
