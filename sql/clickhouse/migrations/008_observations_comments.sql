-- What an analyst reads beside the columns.
ALTER TABLE /*!$database.*/observations/*!_local ON CLUSTER $cluster*/
  MODIFY COMMENT 'What was seen: one row per slot, machine, state and price. The source of every number',
  COMMENT COLUMN slot 'When it was seen',
  COMMENT COLUMN machine_id 'The rig',
  COMMENT COLUMN gpu_name 'GPU type, as in RTX 4090',
  COMMENT COLUMN num_gpus 'GPUs of the whole rig',
  COMMENT COLUMN gpus 'Its GPUs in this state at this price: the weight of a price',
  COMMENT COLUMN machines '1 on one row of each machine and slot: machine counts are sums',
  COMMENT COLUMN rented 'Rented; else available',
  COMMENT COLUMN verified 'Whether the machine is verified',
  COMMENT COLUMN hosting_type 'Where it stands',
  COMMENT COLUMN price 'USD per GPU-hour',
  COMMENT COLUMN tflops 'Per GPU',
  COMMENT COLUMN dlperf 'Deep-learning score per GPU',
  COMMENT COLUMN source 'market, simulated, or the format of an import'
