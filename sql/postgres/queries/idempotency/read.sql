-- The answer to an earlier request with the same Idempotency-Key. $1 API key, $2 operation, $3 Idempotency-Key
SELECT body_hash, answer_sealed FROM idempotent_answers WHERE api_key_id = $1 AND operation = $2 AND idempotency_key = $3
