-- Forgets messages that were sent or have become useless more than a week ago; what they said, at once.
WITH useless AS (
  UPDATE outbox SET sealed = NULL WHERE sealed IS NOT NULL AND expires_at <= now()
)
DELETE FROM outbox WHERE sealed IS NULL AND expires_at < now() - interval '7 days'
