-- GPUs of one slot by GPU name, state and price, ascending. Available GPUs count on machines with at least per_machine of them.
-- Parameters: those of asked_at; per_machine.
SELECT gpu_name, rented, low, high, sum(gpus) AS gpus
FROM asked_at(
  names = {names:Array(String)}, {{filter_arguments}},
  own = {own:UInt8}, slot = {slot:UInt32}
)
WHERE rented OR free >= {per_machine:UInt32}
GROUP BY gpu_name, rented, low, high
ORDER BY gpu_name, low, high
