-- Creates a rule. $1 account, $2 person, $3 key, $4 name, $5 condition (JSON), $6 mail, $7 address of the webhook, $8 its secret (sealed),
-- $9 the source of its market; null: the first one
INSERT INTO alert_rules (account_id, created_by, key_id, name, condition, email, webhook_url, webhook_secret_sealed, source)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
RETURNING id
