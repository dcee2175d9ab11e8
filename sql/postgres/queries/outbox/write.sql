-- Puts a message into the outbox. $1 channel, $2 recipient, $3 subject and text (sealed), $4 seconds after which it is useless, $5 kind,
-- $6 account that causes it
INSERT INTO outbox (channel, recipient, sealed, expires_at, kind, sender_id)
VALUES ($1, $2, $3, rackrate_now() + make_interval(secs => $4), $5, $6)
