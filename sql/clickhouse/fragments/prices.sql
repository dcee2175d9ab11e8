-- {{price_percentiles}}: the percentiles of prices in the history, for `quantilesExactWeighted`. price_columns names them.
0.1, 0.5, 0.9

-- {{price_columns}}: the prices of the history by name, from the arrays `rented_prices` and `avail_prices`, which are in the order of
-- price_percentiles.
-- A price is NULL if no GPU is in its state. `all_rented` and `all_avail` are the number of GPUs or of rows in each state.
if(all_rented = 0, NULL, rented_prices[1]) AS rented_p10,
if(all_rented = 0, NULL, rented_prices[2]) AS rented_median,
if(all_rented = 0, NULL, rented_prices[3]) AS rented_p90,
if(all_avail = 0, NULL, avail_prices[1]) AS avail_p10,
if(all_avail = 0, NULL, avail_prices[2]) AS avail_median,
if(all_avail = 0, NULL, avail_prices[3]) AS avail_p90
