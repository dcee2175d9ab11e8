-- Removes decisions of the autopilot after a year, and after 30 days those that only refused or suggested.
DELETE FROM autopilot_decisions
WHERE state IN ('noted', 'read_back', 'failed')
  AND created_at < rackrate_now() - CASE WHEN state = 'noted' AND stage <> 'dry_run' THEN interval '30 days' ELSE interval '1 year' END
