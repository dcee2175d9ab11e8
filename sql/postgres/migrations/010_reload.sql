-- A snapshot that is loaded again after ClickHouse was restored comes under a token that ClickHouse can't remember.
ALTER TABLE snapshots ADD COLUMN load_token uuid;
