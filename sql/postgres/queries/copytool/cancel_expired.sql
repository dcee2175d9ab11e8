-- Cancels an open task of this content that has expired, so that a new one can take its place. $1 account, $2 hash of the content
UPDATE host_tasks SET dead_at = rackrate_now(), credentials_sealed = NULL, log_held = ''
WHERE account_id = $1 AND content_hash = $2 AND finished_at IS NULL AND dead_at IS NULL AND expires_at <= rackrate_now()
