-- The e-mail address of an account; a team has none. $1 account
SELECT CASE kind WHEN 'person' THEN email END AS email, email_verified
FROM accounts
WHERE id = $1
