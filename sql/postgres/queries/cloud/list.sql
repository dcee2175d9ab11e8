-- The cloud connections of an account, in the order they were created. $1 account
SELECT id, name, provider AS cloud_type, extract(epoch FROM created_at)::float8 AS created_at
FROM cloud_connections
WHERE account_id = $1 AND deleted_at IS NULL
ORDER BY id
