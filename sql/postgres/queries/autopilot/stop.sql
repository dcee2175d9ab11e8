-- Stops all rules of an account, or lets them go on. $1 account, $2 whether they stop
INSERT INTO autopilot_accounts (account_id, stopped_at) VALUES ($1, CASE WHEN $2 THEN rackrate_now() END)
ON CONFLICT (account_id) DO UPDATE SET stopped_at = excluded.stopped_at
