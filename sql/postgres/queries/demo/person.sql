-- The account with this e-mail address, created if there is none. $1 name, $2 e-mail address, $3 is a host
INSERT INTO accounts (name, email, email_verified, is_host) VALUES ($1, $2, true, $3)
ON CONFLICT (lower(email)) WHERE email IS NOT NULL DO UPDATE SET email = EXCLUDED.email
RETURNING id
