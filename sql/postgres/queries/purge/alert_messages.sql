-- Deletes what rules said 90 days ago and before.
DELETE FROM alert_messages WHERE created_at < now() - interval '90 days'
