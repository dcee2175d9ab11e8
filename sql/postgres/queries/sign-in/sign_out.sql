-- Lets a key expire that a browser got by a mailed link; no row: it is none, or has ended. $1 key
UPDATE api_keys SET expires_at = rackrate_now() WHERE id = $1 AND by_mail AND revoked_at IS NULL AND expires_at > rackrate_now()
RETURNING id
