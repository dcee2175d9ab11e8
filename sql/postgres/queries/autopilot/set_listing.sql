-- Changes the price of a listing of the site's own marketplace, and notes it with the decision: both or neither. No row: the decision is not on call any
-- more, or the machine is not listed at the old price by this account. Nothing else of the listing is touched.
-- $1 decision, $2 account, $3 machine, $4 old price, $5 new price
WITH on_call AS (SELECT id FROM autopilot_decisions WHERE id = $1 AND state = 'called' FOR UPDATE),
listing AS (
  UPDATE gpu_listings l SET price = $5
  FROM machines m, on_call
  WHERE l.machine_id = m.id AND m.id = $3 AND m.account_id = $2 AND m.removed_at IS NULL AND l.ended_at IS NULL AND l.price = $4
  RETURNING l.id
)
UPDATE autopilot_decisions d SET state = 'answered', answer = 'The listing ' || listing.id || ' was changed'
FROM on_call, listing
WHERE d.id = on_call.id
RETURNING d.answer
