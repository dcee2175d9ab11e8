-- Creates a cloud connection. $1 account, $2 name, $3 type, $4 credentials (sealed)
INSERT INTO cloud_connections (account_id, name, provider, credentials_sealed)
VALUES ($1, $2, $3, $4)
RETURNING id
