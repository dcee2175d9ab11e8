-- Postpones a message that could not be sent: by 5, 10, 20, ... seconds, to the next turn of the queue behind that. $1 message
UPDATE outbox SET attempts = attempts + 1, next_try_at = rackrate_now() + interval '5 s' * 2 ^ attempts
WHERE id = $1
