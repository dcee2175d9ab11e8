-- One-time tickets for downloads of ad hoc SQL: a browser that saves a file sends no key, and a key has no place in an address.
CREATE TABLE sql_downloads (
  token_hash bytea PRIMARY KEY CHECK (length(token_hash) = 32),   -- SHA-256, enough for 256 random bits
  key_id     integer NOT NULL REFERENCES api_keys ON DELETE CASCADE,
  query      text NOT NULL,
  parameters jsonb NOT NULL,
  format     text NOT NULL,
  expires_at timestamptz NOT NULL
);
CREATE INDEX sql_downloads_expires ON sql_downloads (expires_at);
