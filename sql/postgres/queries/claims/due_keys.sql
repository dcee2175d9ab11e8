-- Takes the keys that are due to be used: others leave them alone for as long as that may take. $1 seconds that it may take
UPDATE claim_keys SET ask_after = rackrate_now() + make_interval(secs => $1)
WHERE id IN (
  SELECT id FROM claim_keys
  -- At most a day: what is further away was written by a clock that was wrong.
  WHERE ask_after <= rackrate_now() OR ask_after > rackrate_now() + interval '25 hours'
  ORDER BY ask_after LIMIT 50 FOR UPDATE SKIP LOCKED
)
RETURNING id, account_id, source, key_sealed, place
