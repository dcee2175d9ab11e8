-- {{term_names}}: the terms of a listing in the order of the text of an observation (contract/listing-terms.ts).
['min_bid', 'end_date', 'credit_discount_max', 'reliability', 'storage_cost', 'inet_up_cost', 'inet_down_cost']

-- {{term_types}}: the type of the text of terms of an observation.
'Tuple(Nullable(Decimal(18, 9)), Nullable(UInt32), Nullable(Decimal(18, 9)), Nullable(Decimal(18, 9)), Nullable(Decimal(18, 9)), Nullable(Decimal(18, 9)), Nullable(Decimal(18, 9)))'

-- {{term_columns}}: the columns of the table `terms`, from the tuple `found` of term_types.
found.1 AS min_bid,
toDateTime(found.2, 'UTC') AS end_date,
found.3 AS credit_discount_max,
found.4 AS reliability,
found.5 AS storage_cost,
found.6 AS inet_up_cost,
found.7 AS inet_down_cost
