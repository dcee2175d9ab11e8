-- Creates further simulated accounts. $1 what they are (host, renter), $2 whether they are hosts, $3 how many
INSERT INTO accounts (name, email, email_verified, is_host, is_admin)
SELECT 'Simulated ' || $1::text || ' ' || n, $1 || '-' || n || '@demo.invalid', false, $2, false
FROM generate_series(1, $3::int) AS n
RETURNING id
