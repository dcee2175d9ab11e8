-- Marks the market as simulated. $1 seed, $2 size, $3 seconds between slots, $4 moods, $5 slot of the seeded state, $6 slot to which
-- its history shall reach back
INSERT INTO simulation (seed, size, interval, moods, anchor_slot, filled_from, fill_until, advanced_to)
VALUES ($1, $2, $3, $4, $5, $5, $6, $5)
