-- What an account claims, that of the first source first. $1 account
SELECT c.source, to_json(c.hosts) AS hosts, to_json(c.machines) AS machines
FROM claims c JOIN sources s ON s.name = c.source
WHERE c.account_id = $1
ORDER BY NOT s.is_first, s.name
