-- The host's share of what renters pay, by machines that a key shows: the host's price ÷ the renters' price.
ALTER TABLE claim_machines
  ADD price_since timestamptz, -- when the host's price last changed; NULL: not since the key was given
  ADD ratio       numeric;     -- the ratio of both prices at the newest reading; a share is stored when it is there twice

CREATE TABLE claim_shares (
  key_id     integer NOT NULL,
  machine_id bigint NOT NULL,
  since      bigint NOT NULL,                                     -- unix seconds
  share      numeric NOT NULL CHECK (share > 0 AND share <= 1),
  PRIMARY KEY (key_id, machine_id, since),
  FOREIGN KEY (key_id, machine_id) REFERENCES claim_machines ON DELETE CASCADE
);
