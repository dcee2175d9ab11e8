-- The share of the simulated history that is there, 0 to 1. No row: nothing is being filled.
SELECT (anchor_slot - filled_from)::float8 / (anchor_slot - fill_until) AS share
FROM simulation
WHERE filled_from > fill_until AND anchor_slot > fill_until
