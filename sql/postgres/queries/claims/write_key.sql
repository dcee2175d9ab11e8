-- Puts a key to a claim, which the marketplace has taken just now. $1 account, $2 source, $3 the sealed key, $4 kind and address of the source,
-- $5 whether it can do more than read
INSERT INTO claim_keys (account_id, source, key_sealed, place, can_do_more) VALUES ($1, $2, $3, $4, $5)
ON CONFLICT (account_id, source) DO UPDATE
SET
  key_sealed = excluded.key_sealed, place = excluded.place, can_do_more = excluded.can_do_more, read_at = rackrate_now(), ask_after = rackrate_now(),
  failures = 0, is_refused = false, problem = NULL, earnings_problem = NULL
RETURNING id
