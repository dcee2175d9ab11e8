-- {{price_percentiles}}: which percentiles of prices the history has, for `quantilesExactWeighted`. price_columns names them.
0.1, 0.5, 0.9

-- {{price_columns}}: the prices of the history by name, from `rented_prices` and `avail_prices`, whose percentiles are those of price_percentiles;
-- NULL when no GPU is in that state: `all_rented` and `all_avail` count the GPUs or the rows of each.
if(all_rented = 0, NULL, rented_prices[1]) AS rented_p10,
if(all_rented = 0, NULL, rented_prices[2]) AS rented_median,
if(all_rented = 0, NULL, rented_prices[3]) AS rented_p90,
if(all_avail = 0, NULL, avail_prices[1]) AS avail_p10,
if(all_avail = 0, NULL, avail_prices[2]) AS avail_median,
if(all_avail = 0, NULL, avail_prices[3]) AS avail_p90

-- {{price_range}}: the price that hosts see, from `low` to `high` in billionths of a dollar, from `price` and the bin that is `shown`; -1: none, also where
-- the bin begins at 0 and is wider than the narrowest.
bitShiftLeft(toInt64(10000000), greatest(2, least(13, shown)) - 2) AS width,
multiIf(shown = 1, reinterpretAsInt64(price), shown = 255 OR shown > 2 AND reinterpretAsInt64(price) < width, -1, intDiv(reinterpretAsInt64(price), width) * width) AS low,
if(shown = 1 OR low < 0, low, low + width) AS high

-- {{bin_cell}}: which cell of its `bin` a `price` is in, or the price itself where the bin is exact (1).
if(bin = 1, reinterpretAsInt64(price), intDiv(reinterpretAsInt64(price), bitShiftLeft(toInt64(10000000), greatest(2, least(13, bin)) - 2)))
