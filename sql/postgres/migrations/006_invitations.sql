-- A team invites an address; whether anybody has it, only its holder finds out.
CREATE TABLE team_invitations (
  team_id    integer NOT NULL REFERENCES teams ON DELETE CASCADE,
  email      text NOT NULL CHECK (email = lower(email) AND length(email) <= 254),
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (team_id, email)
);

-- Tasks keep the credentials that they were fetched with, to strike them out of the log; what may be the beginning of one is held back.
-- dispatched_at: somebody was told that the copy is on its way.
ALTER TABLE host_tasks
  ADD COLUMN credentials_sealed bytea,
  ADD COLUMN log_held text NOT NULL DEFAULT '',
  ADD COLUMN dispatched_at timestamptz;
