-- Deletes the session keys of a key that have expired. $1 key
DELETE FROM api_keys WHERE stands_for = $1 AND expires_at <= rackrate_now()
