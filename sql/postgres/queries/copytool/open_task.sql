-- Stores a task that a host can fetch for an hour, or returns the open task of equal content.
-- $1 machine, $2 account, $3 contract, $4 connection, $5 payload, $6 hash of the token, $7 token (sealed), $8 hash of the content
INSERT INTO host_tasks AS t (machine_id, account_id, contract_id, connection_id, kind, payload, token_hash, token_sealed, content_hash, expires_at)
VALUES ($1, $2, $3, $4, 'copy', $5, $6, $7, $8, rackrate_now() + interval '1 hour')
ON CONFLICT (account_id, content_hash) WHERE finished_at IS NULL AND dead_at IS NULL DO UPDATE SET account_id = t.account_id
RETURNING id, token_sealed, result_id, fetched_at IS NOT NULL AS is_fetched
