-- name: erase
-- Erases expired messages, and deletes their rows a week later.
WITH useless AS (
  UPDATE outbox SET sealed = NULL WHERE sealed IS NOT NULL AND expires_at <= rackrate_now()
)
DELETE FROM outbox WHERE sealed IS NULL AND expires_at < rackrate_now() - interval '7 days'

-- name: next
-- The message that has waited longest and is due, locked. Messages that another process is sending are skipped.
SELECT id, message_id, channel, recipient, sealed
FROM outbox
WHERE sealed IS NOT NULL AND next_try_at <= rackrate_now() AND expires_at > rackrate_now()
ORDER BY next_try_at
LIMIT 1
FOR UPDATE SKIP LOCKED

-- name: retry_later
-- Postpones a message that could not be sent: by 5, 10, 20, ... seconds, rounded up to the queue's schedule. $1 message
UPDATE outbox SET attempts = attempts + 1, next_try_at = rackrate_now() + interval '5 s' * 2 ^ attempts
WHERE id = $1

-- name: wait
-- Seconds until another message may be sent. No row: it may be sent now. The limit counts messages of an account or to a
-- recipient. $1 kind, $2 account or null, $3 recipient or null, $4 the most messages, $5 in this number of hours
SELECT ceil(extract(epoch FROM created_at + make_interval(hours => $5) - rackrate_now()))::int AS seconds
FROM outbox
WHERE kind = $1 AND (sender_id = $2 OR recipient = $3) AND created_at > rackrate_now() - make_interval(hours => $5)
ORDER BY created_at DESC
OFFSET $4::int - 1
LIMIT 1

-- name: write
-- Puts a message into the outbox. $1 channel, $2 recipient, $3 subject and text (sealed), $4 seconds until it expires, $5 kind,
-- $6 account that causes it
INSERT INTO outbox (channel, recipient, sealed, expires_at, kind, sender_id)
VALUES ($1, $2, $3, rackrate_now() + make_interval(secs => $4), $5, $6)
