-- Where the messages of a rule go. $1 account, $2 rule
SELECT name, source, email, webhook_url, webhook_secret_sealed FROM alert_rules WHERE account_id = $1 AND id = $2
