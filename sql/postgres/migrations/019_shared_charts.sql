-- Charts of the market that anybody with their link sees, while the key that made the link may read the market (market_keys).
CREATE TABLE shared_charts (
  id         integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  account_id integer NOT NULL REFERENCES accounts ON DELETE CASCADE,
  key_id     integer NOT NULL REFERENCES api_keys ON DELETE CASCADE,
  token_hash bytea NOT NULL UNIQUE,
  chart      jsonb NOT NULL,                                                    -- what it shows: contract/shares.ts
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX shared_charts_account ON shared_charts (account_id);
