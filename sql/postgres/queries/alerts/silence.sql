-- Silences a rule of an account until a time, or no longer. $1 account, $2 rule, $3 until (unix seconds or null)
UPDATE alert_rules SET silenced_until = to_timestamp($3), version = version + 1 WHERE account_id = $1 AND id = $2
