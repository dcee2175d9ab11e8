-- Hosts and admins with an id or an e-mail address; all of them without one. $1 id or address; null: any
SELECT id, name, is_host
FROM accounts
WHERE (is_host OR is_admin) AND ($1::text IS NULL OR id::text = $1 OR lower(email) = lower($1))
ORDER BY id
