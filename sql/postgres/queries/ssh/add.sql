-- Adds an SSH key unless the account has it. $1 account, $2 public key
INSERT INTO ssh_keys (account_id, public_key) VALUES ($1, $2)
ON CONFLICT (account_id, public_key) WHERE deleted_at IS NULL DO NOTHING
