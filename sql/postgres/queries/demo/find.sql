-- The ids of the demo accounts and their resources; no row before they are created. $1 e-mail address of the renter, $2 the host's id
SELECT $2::int AS host_id, a.id AS renter_id, t.account_id AS team_id, c.machine_id, c.id AS instance_id, k.id AS cloud_connection_id
FROM accounts a
JOIN teams t ON t.owner_id = a.id
JOIN contracts c ON c.account_id = a.id
JOIN cloud_connections k ON k.account_id = a.id
WHERE a.email = $1
ORDER BY t.account_id, c.id, k.id
LIMIT 1
