-- Where a rule of an account sends its messages. $1 account, $2 rule
SELECT r.name, r.email, r.webhook_url, r.webhook_secret_sealed FROM alert_rules r WHERE r.account_id = $1 AND r.id = $2
