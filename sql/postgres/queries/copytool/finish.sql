-- Notes how a task ended, also in its log; only the first call has an effect. The end of the log that was held back is shown if it is too short
-- to reveal a secret. The credentials are deleted. $1 host, $2 hash of the token, $3 exit code
UPDATE host_tasks t SET
  finished_at = coalesce(t.finished_at, rackrate_now()),
  exit_code = coalesce(t.exit_code, $3),
  credentials_sealed = NULL,
  log_held = '',
  log = CASE WHEN t.finished_at IS NOT NULL THEN t.log ELSE
    coalesce(t.log, '') || CASE WHEN length(t.log_held) < 4 THEN t.log_held ELSE E'***\n' END ||
    CASE $3 WHEN 0 THEN E'Cloud Copy Operation Complete\n' ELSE format(E'Cloud Copy Operation Failed (exit code %s)\n', $3) END
  END
FROM machines m
WHERE t.token_hash = $2 AND t.fetched_at IS NOT NULL AND t.dead_at IS NULL AND m.id = t.machine_id AND m.account_id = $1
