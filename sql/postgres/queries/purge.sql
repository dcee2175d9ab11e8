-- name: autopilot
-- Removes decisions of the autopilot after a year, and refusals and suggestions after 30 days.
DELETE FROM autopilot_decisions
WHERE state IN ('noted', 'read_back', 'failed')
  AND created_at < rackrate_now() - CASE WHEN state = 'noted' AND stage <> 'dry_run' THEN interval '30 days' ELSE interval '1 year' END

-- name: host_tasks
-- Drops tasks of hosts with their logs, 90 days after they ended, were cancelled, or could no longer be fetched.
DELETE FROM host_tasks
WHERE coalesce(finished_at, dead_at, expires_at) < rackrate_now() - interval '90 days'

-- name: job_runs
-- Drops runs of scheduled jobs that ended more than 90 days ago, except each job's last one, which its owner sees.
DELETE FROM scheduled_job_runs r
WHERE finished_at < rackrate_now() - interval '90 days'
  AND EXISTS (SELECT FROM scheduled_job_runs n WHERE n.job_id = r.job_id AND n.slot > r.slot AND n.finished_at IS NOT NULL)

-- name: spool
-- Drops the spooled rows of slots that were loaded more than $1 days ago.
DELETE FROM spool USING snapshots
WHERE snapshots.slot = spool.slot AND snapshots.loaded_at < rackrate_now() - $1::int * interval '1 day'

-- name: coverage
-- Removes the coverage of slots that are older than 90 days.
DELETE FROM coverage WHERE slot < extract(epoch FROM rackrate_now()) - 90 * 86400
