-- Notes why a key showed nothing. It is tried again after an interval, then two, four, and every hour. $1 id, $2 the sealed key, $3 why,
-- $4 whether the key is refused; it is until it is taken again, $5 seconds between slots, $6 when to ask again at the earliest (unix seconds; 0: not said)
UPDATE claim_keys
SET
  failures = failures + 1, is_refused = is_refused OR $4, problem = $3,
  ask_after = greatest(to_timestamp($6), rackrate_now() + least(interval '1 hour', make_interval(secs => $5) * 2 ^ least(failures, 6)))
WHERE id = $1 AND key_sealed = $2
