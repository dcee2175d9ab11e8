-- What official clients need around the ten operations.

-- The primary method is the one that clients offer first. Without a marked one it is the oldest.
ALTER TABLE tfa_methods
  ADD COLUMN is_primary boolean NOT NULL DEFAULT false,
  ADD COLUMN last_used_at timestamptz;

-- The authorization of a new 2FA method: it waits for its code, and is a grant from `granted_until` on being set.
CREATE TABLE tfa_authorizations (
  account_id    integer PRIMARY KEY REFERENCES accounts ON DELETE CASCADE,
  secret_hash   bytea NOT NULL,                                           -- what the request returned
  method_id     integer REFERENCES tfa_methods ON DELETE CASCADE,         -- of the code; NULL: e-mail, or a backup code
  expires_at    timestamptz NOT NULL,
  granted_until timestamptz
);

-- The role that an invited person gets by joining. NULL: none.
ALTER TABLE team_invitations ADD COLUMN role_id integer REFERENCES roles ON DELETE SET NULL;
