-- Replaces type and credentials of a cloud connection. $1 connection, $2 type, $3 credentials (sealed)
UPDATE cloud_connections SET provider = $2, credentials_sealed = $3 WHERE id = $1
