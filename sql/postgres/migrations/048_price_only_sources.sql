-- Sources, as the ledger of slots names them, whose records have prices of available GPUs and do not say which GPUs are rented.
CREATE TABLE price_only_sources (source text PRIMARY KEY);
