-- Prices of rented GPUs are shown exactly or not at all. The column stays for the release before, which shows no price where it is 0.
ALTER TABLE /*!$database.*/price_steps/*!_local ON CLUSTER $cluster*/
  COMMENT COLUMN bin 'Not used: 0, or a price bin of an earlier release'
