-- Simulated accounts, oldest first. $1 pattern of their addresses
SELECT id FROM accounts WHERE email LIKE $1 ORDER BY id
