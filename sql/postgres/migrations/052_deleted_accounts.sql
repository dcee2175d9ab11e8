-- When an account was deleted. Its row stays for the rentals that refer to it, without name, addresses and rights.
ALTER TABLE accounts ADD COLUMN deleted_at timestamptz;
