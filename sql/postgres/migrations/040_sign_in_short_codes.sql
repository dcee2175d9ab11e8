-- The short codes of mails to sign in, for a browser on another device than the mail. request_hash: of what the browser that asked was answered.
-- code_hash: of that and the code, so that it cannot be guessed from here. account_id: null when nobody has the address. guesses: at most 5.
CREATE TABLE sign_in_short_codes (
  request_hash bytea PRIMARY KEY CHECK (length(request_hash) = 32),
  account_id   integer UNIQUE REFERENCES accounts ON DELETE CASCADE,
  code_hash    bytea NOT NULL CHECK (length(code_hash) = 32),
  guesses      smallint NOT NULL DEFAULT 0,
  expires_at   timestamptz NOT NULL
);
