-- The accounts that demo keys belong to; no row unless the market is simulated. $1 address of the host, $2 of the admin
SELECT host.id AS "hostId", admin.id AS "adminId"
FROM accounts AS host, accounts AS admin
WHERE host.email = $1 AND admin.email = $2 AND EXISTS (SELECT FROM simulation)
