-- GPUs by GPU name, state and price, ascending, summed over the slots of a range. Parameters and prices: those of asked_prices.
SELECT gpu_name, rented, low, high, sum(gpus) AS gpus
FROM asked_prices(
  names = {names:Array(String)}, {{filter_arguments}},
  own = {own:UInt8}, stored_step = {stored_step:UInt32}, from = {from:UInt32}, to = {to:UInt32}
)
GROUP BY gpu_name, rented, low, high
ORDER BY gpu_name, low, high
