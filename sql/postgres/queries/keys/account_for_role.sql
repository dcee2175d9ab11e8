-- The account with this e-mail address, created if there is none, with the role added to it. Without an address: a new account.
-- The address counts as verified: the operator names it.
-- $1 e-mail address or null, $2 name of an account without an address, $3 is a host, $4 is an admin
INSERT INTO accounts (name, email, email_verified, is_host, is_admin) VALUES (coalesce($1, $2), $1, $1 IS NOT NULL, $3, $4)
ON CONFLICT (lower(email)) WHERE email IS NOT NULL
DO UPDATE SET email_verified = true, is_host = accounts.is_host OR EXCLUDED.is_host, is_admin = accounts.is_admin OR EXCLUDED.is_admin
RETURNING id
