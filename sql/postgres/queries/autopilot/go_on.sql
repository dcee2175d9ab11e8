-- Takes a decision to its next state, if nobody else has taken it since. With one that ends it is over. $1 decision, $2 attempt, $3 state, $4 the next one,
-- $5 answer (null: as it was), $6 price that was read
UPDATE autopilot_decisions SET
  state = $4, answer = coalesce($5, answer), read_price = coalesce($6, read_price),
  called_at = CASE WHEN $4 = 'called' THEN coalesce(called_at, rackrate_now()) ELSE called_at END,
  done_at = CASE WHEN $4 IN ('read_back', 'failed') THEN rackrate_now() END
WHERE id = $1 AND attempts = $2 AND state = $3
