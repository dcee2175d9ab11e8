-- Erases messages that are useless by now, and deletes rows a week later.
WITH useless AS (
  UPDATE outbox SET sealed = NULL WHERE sealed IS NOT NULL AND expires_at <= rackrate_now()
)
DELETE FROM outbox WHERE sealed IS NULL AND expires_at < rackrate_now() - interval '7 days'
