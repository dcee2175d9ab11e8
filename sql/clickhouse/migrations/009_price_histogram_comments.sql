-- What an analyst reads beside the columns.
ALTER TABLE /*!$database.*/price_histogram/*!_local ON CLUSTER $cluster*/
  MODIFY COMMENT 'GPUs per price and hour: small, for percentiles over long ranges. Select FINAL',
  COMMENT COLUMN hour 'Start of the hour',
  COMMENT COLUMN gpu_name 'GPU type',
  COMMENT COLUMN num_gpus 'GPUs of the whole rig',
  COMMENT COLUMN verified 'Whether the machines are verified',
  COMMENT COLUMN hosting_type 'Where they stand',
  COMMENT COLUMN rented 'Rented; else available',
  COMMENT COLUMN price 'USD per GPU-hour',
  COMMENT COLUMN gpus 'Summed over the slots of the hour: the weight of the price',
  COMMENT COLUMN revision 'The newest counts: select FINAL'
