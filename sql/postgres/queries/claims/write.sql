-- Replaces what an account claims of a source. $1 account, $2 source, $3 hosts, $4 machines
INSERT INTO claims (account_id, source, hosts, machines) VALUES ($1, $2, $3, $4)
ON CONFLICT (account_id, source) DO UPDATE SET hosts = excluded.hosts, machines = excluded.machines
