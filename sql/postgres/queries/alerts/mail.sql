-- Puts mail into the outbox, for each person at most 100 in 24 hours. Useless after a day.
-- $1 persons, $2 their addresses, $3 subject and text of each (sealed)
INSERT INTO outbox (channel, recipient, sealed, expires_at, kind, sender_id)
SELECT 'email', w.recipient, w.sealed, rackrate_now() + interval '1 day', 'alert', w.person
FROM unnest($1::int[], $2::text[], $3::bytea[]) AS w(person, recipient, sealed)
WHERE (
  SELECT count(*) FROM outbox o WHERE o.kind = 'alert' AND o.sender_id = w.person AND o.created_at > rackrate_now() - interval '1 day'
) < 100
