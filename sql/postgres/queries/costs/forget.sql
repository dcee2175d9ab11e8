-- Forgets the costs of one machine. Answers whether the account has the machine. $1 account, $2 machine
WITH forgotten AS (DELETE FROM machine_costs WHERE account_id = $1 AND machine_id = $2)
SELECT FROM machines WHERE id = $2 AND account_id = $1 AND removed_at IS NULL
