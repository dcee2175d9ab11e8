-- Creates a rule. $1 account, $2 person, $3 key, $4 source; null: the first market, $5 name, $6 machine, $7 GPU name, $8 target and rails (JSON),
-- $9 address of the webhook, $10 its secret (sealed), $11 mail
INSERT INTO autopilot_rules (
  account_id, created_by, key_id, source, name, machine_id, gpu_name, settings, webhook_url, webhook_secret_sealed, email
)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
RETURNING id
