-- Changes a rule of an account. With another condition or market it begins anew. The receiver of its webhook is asked again, also after 410.
-- $1 account, $2 person, $3 key, $4 name, $5 condition (JSON), $6 mail, $7 address of the webhook, $8 its secret (sealed; null: as it was),
-- $9 the source of its market; null: the first one, $10 rule
UPDATE alert_rules SET
  created_by = $2, key_id = $3, name = $4, email = $6, webhook_url = $7, webhook_gone_at = NULL, version = version + 1,
  webhook_secret_sealed = CASE WHEN $7::text IS NOT NULL THEN coalesce($8, webhook_secret_sealed) END,
  state = CASE WHEN condition = $5::jsonb AND source IS NOT DISTINCT FROM $9 THEN state ELSE '{}' END,
  condition = $5::jsonb, source = $9
WHERE account_id = $1 AND id = $10
