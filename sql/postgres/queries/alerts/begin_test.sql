-- Notes that an account tests a delivery. No row: it did so less than 10 seconds ago. $1 account
INSERT INTO alert_accounts (account_id, tested_at) VALUES ($1, rackrate_now())
ON CONFLICT (account_id) DO UPDATE SET tested_at = rackrate_now()
WHERE alert_accounts.tested_at IS NULL OR alert_accounts.tested_at < rackrate_now() - interval '10 seconds'
RETURNING account_id
