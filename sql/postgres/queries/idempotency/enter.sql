-- Enters a request with an Idempotency-Key; no row: there is one already. Waits for the transaction of a request that runs with the same key.
-- $1 API key, $2 operation, $3 Idempotency-Key, $4 hash of the body
INSERT INTO idempotent_answers (api_key_id, operation, idempotency_key, body_hash) VALUES ($1, $2, $3, $4)
ON CONFLICT (api_key_id, operation, idempotency_key) DO NOTHING
RETURNING id
