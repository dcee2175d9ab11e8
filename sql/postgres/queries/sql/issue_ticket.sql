-- Notes a ticket for a download, and forgets those that nobody took in time.
-- $1 hash of the token, $2 key, $3 query, $4 parameters, $5 format, $6 seconds it lives
WITH forgotten AS (DELETE FROM sql_downloads WHERE expires_at <= rackrate_now())
INSERT INTO sql_downloads (token_hash, key_id, query, parameters, format, expires_at)
VALUES ($1, $2, $3, $4, $5, rackrate_now() + make_interval(secs => $6))
