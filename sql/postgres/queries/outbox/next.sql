-- The message that has waited longest and is due, locked. Messages that another process is sending are skipped.
SELECT id, message_id, channel, recipient, sealed
FROM outbox
WHERE sealed IS NOT NULL AND next_try_at <= rackrate_now() AND expires_at > rackrate_now()
ORDER BY next_try_at
LIMIT 1
FOR UPDATE SKIP LOCKED
