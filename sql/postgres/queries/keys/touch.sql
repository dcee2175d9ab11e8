-- Notes that a key was used, to the minute. $1 id
UPDATE api_keys SET last_used_at = rackrate_now() WHERE id = $1 AND (last_used_at IS NULL OR last_used_at < rackrate_now() - interval '1 minute')
