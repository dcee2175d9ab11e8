-- Advice on prices as it was given, and the outcome a week later. Advice and its claims are never changed, so they are judged by their values of that time.
CREATE TABLE price_advice (
  account_id   integer NOT NULL REFERENCES accounts ON DELETE CASCADE,
  source       text REFERENCES sources ON UPDATE CASCADE ON DELETE CASCADE, -- NULL: the first market
  machine_id   bigint NOT NULL,
  given_at     timestamptz NOT NULL,                                       -- the snapshot
  day          date GENERATED ALWAYS AS ((given_at AT TIME ZONE 'UTC')::date) STORED,
  verdict      text NOT NULL CHECK (verdict IN ('raise', 'lower')),
  basis        text NOT NULL CHECK (basis IN ('net', 'gross')),
  price        numeric(18, 9) NOT NULL CHECK (price > 0),                  -- USD per GPU-hour: the price then
  advised      numeric(18, 9) NOT NULL CHECK (advised > 0),
  gain         double precision NOT NULL,                                  -- USD a day, with its interval
  gain_low     double precision NOT NULL,
  gain_high    double precision NOT NULL,
  before       double precision NOT NULL,                                  -- USD a day of the 7 days before
  judged_at    timestamptz,                                                -- NULL: not yet
  followed     boolean,
  after        double precision,                                           -- USD a day of the 7 days from then on
  CHECK ((judged_at IS NULL) = (followed IS NULL) AND (judged_at IS NULL) = (after IS NULL)),
  UNIQUE NULLS NOT DISTINCT (account_id, source, machine_id, day)
);
CREATE INDEX price_advice_open ON price_advice (given_at) WHERE judged_at IS NULL;
