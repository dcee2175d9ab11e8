-- Creates an API key. $1 account, $2 person who holds it, $3 name, $4 public prefix, $5 hash, $6 permissions, $7 expiry (or null),
-- $8 the key that it stands for (or null), $9 whether a browser gets it by a mailed link
INSERT INTO api_keys (account_id, created_by, name, prefix, hash, permissions, expires_at, stands_for, by_mail)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
RETURNING id
