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
