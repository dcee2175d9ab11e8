-- Notes that a key showed its machines. No row: it is another key meanwhile. $1 id, $2 the sealed key, $3 seconds until it is used again
UPDATE claim_keys
SET read_at = rackrate_now(), failures = 0, is_refused = false, problem = NULL, ask_after = rackrate_now() + make_interval(secs => $3)
WHERE id = $1 AND key_sealed = $2
RETURNING id
