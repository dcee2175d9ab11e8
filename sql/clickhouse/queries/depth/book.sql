-- GPUs at each price of one slot, by GPU name and price. Available GPUs count on machines with at least per_machine of them.
-- Parameters: names Array(String), verified, hosting_type, num_gpus, slot, per_machine.
SELECT
  gpu_name, price,
  sumIf(gpus, NOT rented AND free >= {per_machine:UInt32}) AS available,
  sumIf(gpus, rented) AS rented_gpus
FROM (
  SELECT gpu_name, price, rented, gpus, sumIf(gpus, NOT rented) OVER (PARTITION BY gpu_name, machine_id) AS free
  FROM observations
  WHERE gpu_name IN {names:Array(String)} AND slot = toDateTime({slot:UInt32}, 'UTC')
    AND ({verified:String} = 'all' OR verified = ({verified:String} = 'yes'))
    AND ({hosting_type:String} = 'all' OR hosting_type = {hosting_type:String})
    AND ({num_gpus:UInt16} = 0 OR num_gpus = {num_gpus:UInt16})
)
GROUP BY gpu_name, price
HAVING available + rented_gpus > 0
ORDER BY gpu_name, price
