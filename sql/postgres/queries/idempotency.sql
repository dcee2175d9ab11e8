-- name: enter
-- Enters a request with an Idempotency-Key; no row: there is one already. Waits for the transaction of a request that runs with the same key.
-- $1 API key, $2 operation, $3 Idempotency-Key, $4 hash of the body
INSERT INTO idempotent_answers (api_key_id, operation, idempotency_key, body_hash) VALUES ($1, $2, $3, $4)
ON CONFLICT (api_key_id, operation, idempotency_key) DO NOTHING
RETURNING id

-- name: read
-- The answer to an earlier request with the same Idempotency-Key. $1 API key, $2 operation, $3 Idempotency-Key
SELECT body_hash, answer_sealed FROM idempotent_answers WHERE api_key_id = $1 AND operation = $2 AND idempotency_key = $3
