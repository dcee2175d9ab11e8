-- Drops runs of scheduled jobs that ended more than 90 days ago, but for each job's last one, which its owner sees.
DELETE FROM scheduled_job_runs r
WHERE finished_at < rackrate_now() - interval '90 days'
  AND EXISTS (SELECT FROM scheduled_job_runs n WHERE n.job_id = r.job_id AND n.slot > r.slot AND n.finished_at IS NOT NULL)
