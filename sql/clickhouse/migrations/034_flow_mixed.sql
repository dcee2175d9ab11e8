-- Events of carried machines that have both rented and available GPUs: for rentals and returns of one machine that cancel between two sights.
ALTER TABLE /*!$database.*/flows/*!_local ON CLUSTER $cluster*/
  ADD COLUMN IF NOT EXISTS mixed_rentals UInt64
    COMMENT 'Rentals of carried machines times their rentals at most (mixed_gap) and the seconds between two sights' CODEC(T64, ZSTD(1)) AFTER mixed_gap,
  ADD COLUMN IF NOT EXISTS mixed_returns UInt64
    COMMENT 'Returns of carried machines times their available GPUs ÷ the smallest part and the seconds between two sights' CODEC(T64, ZSTD(1)) AFTER mixed_rentals
