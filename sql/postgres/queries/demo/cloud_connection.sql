-- Creates the demo cloud connection. $1 account, $2 sealed credentials
INSERT INTO cloud_connections (account_id, name, provider, credentials_sealed)
VALUES ($1, 'Demo bucket', 's3', $2)
RETURNING id
