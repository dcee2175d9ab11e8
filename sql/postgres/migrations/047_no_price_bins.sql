-- Prices of rented GPUs are shown exactly or not at all, so nothing computes price bins any more.
DELETE FROM backfills WHERE what = 'bins';
