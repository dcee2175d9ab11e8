-- Notes why the earnings of a machine could not be read. They are asked for again after 10 minutes. $1 the key's id, $2 machine, $3 why, $4 when to
-- ask again at the earliest (unix seconds; 0: not said)
WITH later AS (
  UPDATE claim_machines SET earned_ask_after = greatest(to_timestamp($4), rackrate_now() + interval '10 minutes')
  WHERE key_id = $1 AND machine_id = $2
)
UPDATE claim_keys SET earnings_problem = $3 WHERE id = $1
