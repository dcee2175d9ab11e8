-- Which percentiles of prices the history has, for `quantilesExactWeighted`; `{{price_percentiles}}` in other files. price_columns.sql names them.
0.1, 0.5, 0.9
