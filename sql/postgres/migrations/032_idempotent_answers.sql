-- Answers to requests with an Idempotency-Key, each written in the transaction of what it answers. Purged after a day.
CREATE TABLE idempotent_answers (
  id              integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  api_key_id      integer NOT NULL REFERENCES api_keys ON DELETE CASCADE,
  operation       text NOT NULL,
  idempotency_key text NOT NULL CHECK (length(idempotency_key) BETWEEN 1 AND 255),
  body_hash       bytea NOT NULL,
  answer_sealed   bytea, -- NULL only while its transaction runs
  created_at      timestamptz NOT NULL DEFAULT rackrate_now(),
  UNIQUE (api_key_id, operation, idempotency_key)
);
CREATE INDEX idempotent_answers_created ON idempotent_answers (created_at);
