-- Drops tasks of hosts with their logs, 90 days after they ended, or were given up, or could no longer be fetched.
DELETE FROM host_tasks
WHERE coalesce(finished_at, dead_at, expires_at) < rackrate_now() - interval '90 days'
