-- The key that wrote a job: when it ends, the job ends. NULL: the job is of an earlier release, which did not record the key.
-- stop_reason: why a job does not run any more although slots may be left.
ALTER TABLE scheduled_jobs
  ADD COLUMN key_id integer REFERENCES api_keys ON DELETE SET NULL,
  ADD COLUMN stop_reason text;
CREATE INDEX scheduled_jobs_key ON scheduled_jobs (key_id) WHERE deleted_at IS NULL;

-- A key for one call of a scheduled job stands for the key that wrote the job, and is valid only as long as that key is.
ALTER TABLE api_keys ADD COLUMN stands_for integer REFERENCES api_keys ON DELETE CASCADE;

-- Who caused a message and what it is, so that messages per sender and per recipient can be limited. NULL: of an earlier release.
ALTER TABLE outbox
  ADD COLUMN kind text,
  ADD COLUMN sender_id integer;
CREATE INDEX outbox_sender ON outbox (kind, sender_id, created_at);
CREATE INDEX outbox_recipient ON outbox (kind, recipient, created_at);

-- The key of all hashes, encrypted. It stays the same when the encryption key is replaced, so that hashed codes keep their value.
ALTER TABLE vault ADD COLUMN hash_key_sealed bytea;
