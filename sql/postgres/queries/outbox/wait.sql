-- Seconds until another message may be sent. No row: it may be sent now. The messages are those of an account or those to a recipient.
-- $1 kind, $2 account or null, $3 recipient or null, $4 how many messages are allowed, $5 in how many hours
SELECT ceil(extract(epoch FROM created_at + make_interval(hours => $5) - rackrate_now()))::int AS seconds
FROM outbox
WHERE kind = $1 AND (sender_id = $2 OR recipient = $3) AND created_at > rackrate_now() - make_interval(hours => $5)
ORDER BY created_at DESC
OFFSET $4::int - 1
LIMIT 1
