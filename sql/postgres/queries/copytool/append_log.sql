-- Writes the log of a task, whose host now has another 15 minutes to report. $1 task, $2 log, $3 end of the log that is held back because it may
-- begin a secret, $4 characters received
UPDATE host_tasks SET
  log = nullif($2, ''), log_held = $3, log_received = log_received + $4, expires_at = rackrate_now() + interval '15 minutes'
WHERE id = $1
