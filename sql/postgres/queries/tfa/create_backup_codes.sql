-- Stores backup codes. $1 account, $2 hashes of the codes
INSERT INTO backup_codes (account_id, code_hash)
SELECT $1, unnest($2::bytea[])
