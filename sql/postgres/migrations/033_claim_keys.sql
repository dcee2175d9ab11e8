-- The key of a claim: that of its host's account at the marketplace of the source. What was read with it goes with it.
CREATE TABLE claim_keys (
  id         integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  account_id integer NOT NULL,
  source     text NOT NULL,
  key_sealed bytea NOT NULL,
  place      text NOT NULL,                                  -- kind and address of the source that it was given for; it is sent nowhere else
  read_at    timestamptz NOT NULL DEFAULT rackrate_now(),    -- when the marketplace last showed the machines of the account
  ask_after  timestamptz NOT NULL DEFAULT rackrate_now(),    -- it is left alone until then
  failures   integer NOT NULL DEFAULT 0,                     -- readings since the last good one that failed
  is_refused boolean NOT NULL DEFAULT false,                 -- the marketplace does not take the key any more
  problem    text,                                           -- why the newest reading failed; NULL: it was good
  earnings_problem text,                                     -- the same of what machines earned
  UNIQUE (account_id, source),
  FOREIGN KEY (account_id, source) REFERENCES claims ON UPDATE CASCADE ON DELETE CASCADE
);

-- A machine of that account, as the marketplace showed it last. One that it does not show any more stays, with what it earned.
CREATE TABLE claim_machines (
  key_id         integer NOT NULL REFERENCES claim_keys ON DELETE CASCADE,
  machine_id     bigint NOT NULL,
  is_shown       boolean NOT NULL,
  read_at        timestamptz NOT NULL,   -- when it was shown last
  host_id        bigint,
  listed         boolean,
  price          numeric,                -- USD per GPU-hour that is asked
  min_bid        numeric,                -- USD per GPU-hour
  occupancy      text,                   -- a letter for each GPU: D on demand, R reserved, I interruptible, x free
  earned_from    integer,                -- days since 1970: the first day of which it is known what it earned; NULL: of none
  earned_to      integer,                -- the last one, which was complete
  earned_read_at timestamptz,
  earned_ask_after timestamptz NOT NULL DEFAULT rackrate_now(),
  PRIMARY KEY (key_id, machine_id)
);

-- What it earned on a day, USD, as the marketplace says. A day without a row earned nothing, if it is among those that are known.
CREATE TABLE claim_earnings (
  key_id     integer NOT NULL,
  machine_id bigint NOT NULL,
  day        integer NOT NULL,           -- days since 1970, UTC
  gpu        numeric NOT NULL,
  storage    numeric NOT NULL,
  traffic    numeric NOT NULL,
  PRIMARY KEY (key_id, machine_id, day),
  FOREIGN KEY (key_id, machine_id) REFERENCES claim_machines ON DELETE CASCADE
);
