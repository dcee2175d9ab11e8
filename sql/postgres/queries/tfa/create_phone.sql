-- Sets up a phone. $1 account, $2 label, $3 phone
INSERT INTO tfa_methods (account_id, kind, label, phone) VALUES ($1, 'sms', $2, $3)
RETURNING id, phone
