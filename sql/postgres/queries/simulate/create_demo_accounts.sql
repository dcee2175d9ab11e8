-- Creates the demo host and the demo admin, in this order. $1 address of the host, $2 of the admin
INSERT INTO accounts (name, email, email_verified, is_host, is_admin)
VALUES ('Demo host (simulated)', $1::text, true, true, false), ('Demo admin (simulated)', $2, true, false, true)
RETURNING id
